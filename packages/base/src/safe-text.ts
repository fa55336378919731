// Terminal control sequences: CSI (7-bit and 8-bit), OSC / DCS / SOS / PM / APC up to their terminator or the
// end of the text, and two-character escapes. Source: ECMA-48 and xterm's control sequence list.
const sequences = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[\\u0030-\\u003f]*[\\u0020-\\u002f]*[\\u0040-\\u007e]?",
    "(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "\\u001b[\\u0020-\\u002f]*[\\u0030-\\u007e]?",
  ].join("|"),
  "gu",
);
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
const bidiAndTags = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const zeroWidth = /[\u200b\u200c\u2060-\u2064\ufeff\u00ad\u180e]/gu;
// A zero-width joiner is part of an emoji between two pictographs, and a hiding place elsewhere.
const looseJoiner =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/**
 * Text from a pane, a log or a peer as plain characters: control sequences removed as whole units, then control
 * characters except LF and TAB, then bidi, tag and zero-width characters. CRLF becomes LF.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(sequences, "")
    .replace(controls, "")
    .replace(bidiAndTags, "")
    .replace(zeroWidth, "")
    .replace(looseJoiner, "");
}

/** A value for one line of a person's screen: every character that is not plain text is shown as an escape. */
export function shownText(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
    (character) => escapes.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const escapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
