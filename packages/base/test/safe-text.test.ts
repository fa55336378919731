import fc from "fast-check";
import { expect, it } from "vitest";
import { plainText, shownText } from "../src/index.ts";

const ESC = "\u001b";
const BEL = "\u0007";
const ST = `${ESC}\\`;

it.each([
  ["CSI", `a${ESC}[31;1mb${ESC}[0mc${ESC}[?2004hd${ESC}[2 qe`, "abcde"],
  ["8-bit CSI", "a\u009b31mb", "ab"],
  ["OSC 0 title with BEL", `a${ESC}]0;title${BEL}b`, "ab"],
  ["OSC 8 link with ST", `${ESC}]8;;http://x${ST}text${ESC}]8;;${ST}`, "text"],
  ["OSC 52 clipboard", `a${ESC}]52;c;aGk=${BEL}b`, "ab"],
  ["OSC 133 prompt mark", `a${ESC}]133;A${ST}b`, "ab"],
  ["OSC 3008 unterminated", `a${ESC}]3008;start=id;user=x`, "a"],
  ["8-bit OSC with 8-bit ST", "a\u009d0;title\u009cb", "ab"],
  ["DCS", `a${ESC}P1$r0m${ST}b`, "ab"],
  ["DCS with a BEL in it", `a${ESC}Pq${BEL}b${ST}c`, "ac"],
  ["APC", `a${ESC}_Gf=32;payload${ST}b`, "ab"],
  ["APC unterminated", `a${ESC}_Gpayload`, "a"],
  ["SOS and PM", `a${ESC}Xhidden${ST}b${ESC}^hidden${ST}c`, "abc"],
  ["tmux passthrough with doubled ESC", `a${ESC}Ptmux;${ESC}${ESC}]52;c;eA==${BEL}${ST}b`, "ab"],
  ["two-character escapes", `a${ESC}7b${ESC}(Bc${ESC}Md${ESC}=e`, "abcde"],
  ["a DCS that CAN breaks off", `a${ESC}Pq\u0018b`, "ab"],
  ["8-bit string that does not end", "\u201c quoted\u009d and more", "\u201c quoted and more"],
  ["deprecated format characters and fillers", "a\u2065b\u206ac\u3164d\ufff9e\u034ff", "abcdef"],
  ["words in variation selectors", "👩\ufe0f\ufe0f\u{e0141}\u{e0142}b\u{e0100}", "👩\ufe0fb"],
  ["words in tags after a black flag", "🏴\u{e0069}\u{e0067}\u{e007f}b", "🏴b"],
  ["8-bit C1", "a\u0084b\u008dc\u0085d", "abcd"],
  ["BEL, backspace, DEL, NUL", `a${BEL}b\bc\u007fd\0e`, "abcde"],
  ["carriage return that overwrites", "safe\revil", "safeevil"],
  ["CRLF", "a\r\nb", "a\nb"],
  ["ESC at the end", `a${ESC}`, "a"],
  ["CSI cut off at the end", `a${ESC}[31`, "a"],
  ["bidi override, isolate, marks", "a\u202eb\u2066c\u2069d\u200ee\u061cf", "abcdef"],
  ["tag characters that spell words", "a\u{e0001}\u{e0069}\u{e0067}b", "ab"],
  ["zero width", "a\u200bb\u200cc\u2060d\ufeffe\u00adf", "abcdef"],
  ["joiner between letters", "a\u200db", "ab"],
])("C-25 removes %s as a whole", (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it.each([
  ["tabs and lines", "a\tb\n\nc\n"],
  ["Chinese, Japanese, Korean", "漢字かなカナ한국어"],
  ["a family", "👨‍👩‍👧‍👦"],
  ["a profession with skin tone", "👩🏽‍🚀 and 👩🏿‍❤️‍💋‍👨🏻"],
  ["the rainbow flag and the pirate flag", "🏳️‍🌈 🏴‍☠️"],
  ["country flags and keycaps", "🇩🇪🇯🇵 1️⃣"],
  ["the flag of Scotland, made of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["Arabic and Hebrew letters", "سلام שלום"],
  ["an ideographic variant", "葛\u{e0100}城"],
  ["combining marks and accents", "e\u0301 ñ ü"],
  ["box drawing and powerline glyphs", "╭─╮ \ue0b0"],
])("keeps %s exactly", (_, text) => {
  expect(plainText(text)).toBe(text);
});

const hostile = fc.oneof(
  fc.constantFrom(ESC, BEL, "\u009b", "\u009d", "\u0090", "\u009c", "[", "]", "P", "\\", "\r", "\n", "\t"),
  fc.constantFrom(
    "\u200d",
    "\u200b",
    "\ufeff",
    "\u202e",
    "\u{e0041}",
    "\u{e007f}",
    "🏴",
    "👩",
    "🏽",
    "\ufe0f",
    "é",
  ),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const hostileText = fc.array(hostile, { maxLength: 40 }).map((parts) => parts.join(""));

it("C-25 lets no control, bidi or zero-width character through, but for LF, TAB and what emoji are made of", () => {
  const tagFlags =
    /🏴\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074})\u{e007f}/gu;
  fc.assert(
    fc.property(hostileText, (text) => {
      const rest = plainText(text).replace(tagFlags, "");
      expect(rest).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
      expect(rest).not.toMatch(
        /[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u,
      );
      expect(rest).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
      expect(rest).not.toMatch(/(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?)\u200d/u);
      expect(rest).not.toMatch(/\u200d(?!\p{Extended_Pictographic})/u);
      expect(rest).not.toMatch(/[\ufe00-\ufe0f]{2}/u);
    }),
    { numRuns: 2_000 },
  );
});

it("C-25 finds nothing more to remove in its own output", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const once = plainText(text);
      expect(plainText(once)).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

it("takes time in proportion to the text, whatever is in it", () => {
  const attacks = [
    `${ESC}[`,
    `${ESC}]`,
    "\u200d",
    `${ESC}P${ESC}`,
    "👩\u200d",
    "🏴\u{e0067}",
    "\u009b0",
    "\u009d",
    "\u009dx",
    "\ufe0f",
  ];
  for (const attack of attacks) {
    const started = performance.now();
    plainText(attack.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

it("C-02 shows every character that is not plain as an escape", () => {
  expect(shownText(`a${ESC}[31m\n\t\r${BEL}\u009b\u202e\u200b\u{e0041}b é漢`)).toBe(
    "a\\u{1b}[31m\\n\\t\\r\\u{7}\\u{9b}\\u{202e}\\u{200b}\\u{e0041}b é漢",
  );
});

it("C-02 shows whole emoji as they are", () => {
  expect(shownText("👩🏽‍🚀 ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 \u200d")).toBe("👩🏽‍🚀 ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 \\u{200d}");
});
