import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deliverableText, maxTextBytes } from "../src/index.ts";

const refused = (raw: string) => {
  try {
    deliverableText(raw);
  } catch (error) {
    return error as { code: string; message: string; outcome: string };
  }
  throw new Error(`Accepted ${JSON.stringify(raw)}`);
};

describe("deliverableText", () => {
  it.each([
    ["a paste end", "a\u001b[201~b", 1, "U+001B"],
    ["a paste start", "\u001b[200~", 0, "U+001B"],
    ["a paste end that removal would make again", "\u001b[20\u001b[201~1~", 0, "U+001B"],
    ["a paste end with an 8-bit CSI", "ab\u009b201~", 2, "U+009B"],
    ["a nested 8-bit paste end", "x\u009b20\u009b201~1~", 1, "U+009B"],
    ["NUL", "\u0000", 0, "U+0000"],
    ["a lone CR", "a\rb", 1, "U+000D"],
    ["a CR before a CRLF", "a\r\r\nb", 1, "U+000D"],
    ["DEL", "ab\u007f", 2, "U+007F"],
    ["next line (C1)", "\u0085", 0, "U+0085"],
    ["a high surrogate at the end", "ab\ud83d", 2, "U+D83D"],
    ["a high surrogate before a letter", "\ud83dx", 0, "U+D83D"],
    ["a low surrogate behind a whole emoji", "😀\ude00", 2, "U+DE00"],
    ["an escape after CRLFs, counted as sent", "a\r\nb\r\n\u001b", 6, "U+001B"],
  ])("T-20 refuses %s and names the offset", (_what, raw, offset, character) => {
    const failure = refused(raw);
    expect(failure).toMatchObject({ code: "text-unsafe", outcome: "refused" });
    expect(failure.message).toContain(`at offset ${offset},`);
    expect(failure.message).toContain(character);
  });

  it("T-20 refuses exactly control characters but LF and TAB, CR outside CRLF, and lone surrogates", () => {
    const anything = fc
      .array(
        fc.oneof(
          fc.integer({ min: 0, max: 0xa0 }),
          fc.integer({ min: 0xd7ff, max: 0xe000 }),
          fc.integer({ min: 0, max: 0xffff }),
        ),
        {
          minLength: 1,
          maxLength: 12,
        },
      )
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anything, (raw) => {
        const normal = raw.replaceAll("\r\n", "\n");
        const text = normal.endsWith("\n") ? normal.slice(0, -1) : normal;
        const bad = [...normal].some((character) => {
          const code = character.codePointAt(0) ?? 0;
          const control = code < 0x20 || (code >= 0x7f && code < 0xa0);
          return (control && character !== "\n" && character !== "\t") || (code >= 0xd800 && code < 0xe000);
        });
        if (text === "") expect(refused(raw).code).toBe("text-empty");
        else if (bad) expect(refused(raw).code).toBe("text-unsafe");
        else expect(deliverableText(raw)).toEqual({ text, bytes: Buffer.byteLength(text) });
      }),
      { numRuns: 2_000 },
    );
  });

  it("T-20 keeps whole characters byte for byte, whatever they mean to a shell or a multiplexer", () => {
    const whole = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(whole, (raw) => {
        expect(deliverableText(raw).text).toBe(raw);
      }),
    );
  });

  it.each(["-x", "x;", "#{pane_id} #(id)", "!ls", "/permissions", "👩‍👩‍👧 漢字", "\ufeff\u2028", " \t "])(
    "T-20 keeps %j",
    (text) => {
      expect(deliverableText(text)).toEqual({ text, bytes: Buffer.byteLength(text) });
    },
  );

  it("T-20 keeps a line of 70 000 bytes", () => {
    expect(deliverableText("a".repeat(70_000))).toEqual({ text: "a".repeat(70_000), bytes: 70_000 });
  });

  it("T-20 makes LF of CRLF and drops one trailing newline", () => {
    expect(deliverableText("a\r\nb\r\n\r\n").text).toBe("a\nb\n");
  });

  it.each(["", "\n", "\r\n"])("T-19 refuses the empty text %j", (raw) => {
    expect(refused(raw)).toMatchObject({ code: "text-empty", outcome: "refused" });
  });

  it("T-19 takes 100 000 bytes and refuses one more, counted as UTF-8", () => {
    expect(deliverableText("é".repeat(maxTextBytes / 2)).bytes).toBe(100_000);
    expect(refused(`${"é".repeat(maxTextBytes / 2)}x`)).toMatchObject({
      code: "text-too-long",
      message: "The text has 100001 bytes; at most 100000 can be sent",
    });
  });
});
