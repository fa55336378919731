// Terminal control sequences, each removed as a whole. Source: ECMA-48 and xterm's control sequence list. A string
// opened by ESC swallows the text up to its terminator or the end, as on a terminal; one opened by an 8-bit
// control only when it is terminated, because wrongly decoded text holds such characters by accident.
const sequences = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]?`, // CSI
    String.raw`\u001b\][^\u0007\u0018\u001a\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`, // OSC
    String.raw`\u001b[PX^_][^\u0018\u001a\u001b\u009c]*(?:\u001b\\|\u009c)?`, // DCS, SOS, PM, APC
    String.raw`[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)`, // 8-bit
    String.raw`\u001b[\u0020-\u002f]*[\u0030-\u007e]?`,
  ].join("|"),
  "gu",
);
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

// Characters without a shape (bidi, tags, zero width, selectors, fillers) can hide words from a person's eye.
// Those that are part of a visible character stay: the three tag flags of Unicode's emoji list, joiners between
// pictographs, and one variation selector after what it varies.
const shapeless = new RegExp(
  [
    String.raw`(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
    String.raw`(?<=(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[^\p{Default_Ignorable_Code_Point}\s])[\ufe00-\ufe0f]`,
    String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}])`,
    String.raw`[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`,
  ].join("|"),
  "gu",
);

/**
 * Text from a pane, a log or a peer as plain characters: control sequences removed as whole units, then control
 * characters except LF and TAB, then bidi, tag and zero-width characters that are no part of an emoji or an
 * ideograph. CRLF becomes LF.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(sequences, "")
    .replace(controls, "")
    .replace(shapeless, (_, visible: string | undefined) => visible ?? "");
}

/** A value for one line of a person's screen: every character that is not plain text is shown as an escape. */
export function shownText(text: string): string {
  return text
    .replace(shapeless, (character, visible: string | undefined) => visible ?? escaped(character))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, escaped);
}

function escaped(character: string): string {
  return shortEscapes.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
