import fc from "fast-check";
import { expect, it } from "vitest";
import { createStreamKept, showBoth, withoutCutEnd } from "../src/exec-output.ts";

function kept(budget: number, chunks: readonly Uint8Array[]) {
  const stream = createStreamKept(budget);
  for (const chunk of chunks) stream.push(chunk);
  return stream;
}

const ascii = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => 97 + (byte % 26)));

it("X-16 shows what fits whole, and else the exact start and end around one line with the count", () => {
  fc.assert(
    fc.property(fc.array(ascii), fc.integer({ min: 2, max: 60 }), (chunks, budget) => {
      const all = Buffer.concat(chunks).toString();
      const shown = kept(budget, chunks).show(budget);
      expect(shown.totalBytes).toBe(all.length);
      expect(shown.truncated).toBe(all.length > budget);
      if (!shown.truncated) {
        expect(shown.text).toBe(all);
        return;
      }
      const [, head = "", dropped, tail = ""] =
        /^(.*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n(.*)$/.exec(shown.text) ?? [];
      expect(head.length + tail.length).toBe(budget);
      expect(Number(dropped)).toBe(all.length - budget);
      expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
    }),
  );
});

it("X-16 gives a stream what the other one does not need", () => {
  const chatty = kept(100, [Buffer.alloc(1000, "o")]);
  const [all, nothing] = showBoth(chatty, kept(100, []), 100);
  expect(all.text.replace(/[^o]/g, "").replace("outo", "").length).toBeGreaterThanOrEqual(100);
  expect(nothing).toEqual({ text: "", totalBytes: 0, truncated: false });
  const [half, other] = showBoth(chatty, kept(100, [Buffer.alloc(1000, "e")]), 100);
  expect(half.text).toContain("[... 950 bytes left out ...]");
  expect(other.text).toContain("[... 950 bytes left out ...]");
});

it("X-16 cuts no character in two", () => {
  const bytes = Buffer.from("\u00e9\u20ac\u{1f600}".repeat(50));
  for (let budget = 2; budget < 80; budget += 1) {
    expect(kept(budget, [bytes]).show(budget).text).not.toContain("\ufffd");
  }
});

it("X-21 leaves to the next piece only a character that is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text);
      const piece = bytes.subarray(0, at % (bytes.length + 1));
      const whole = withoutCutEnd(piece);
      expect(piece.length - whole.length).toBeLessThan(4);
      expect(text.startsWith(Buffer.from(whole).toString())).toBe(true);
    }),
  );
});

it("X-21 does not take bytes that are no UTF-8 for a cut character for ever", () => {
  expect(withoutCutEnd(Buffer.from([0x80, 0x80, 0x80, 0x80])).length).toBe(4);
  expect(withoutCutEnd(Buffer.from([0xff])).length).toBe(0);
});
