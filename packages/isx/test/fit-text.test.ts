import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bytesInJson, fitText } from "../src/fit-text.ts";

it("C-22 text of any kind fits its room, with its beginning and end", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "\n", '"', "é", "😀", "\\"),
    minLength: 1,
    maxLength: 3000,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 100, max: 2000 }), (whole, room) => {
      const fitted = fitText(whole, room);
      expect(bytesInJson(fitted.text)).toBeLessThanOrEqual(room);
      expect(fitted.cut).toBe(bytesInJson(whole) > room);
      if (!fitted.cut) return;
      const [head = "", tail = ""] = fitted.text.split("\n[cut here]\n");
      expect(whole.startsWith(head.replace(/\ufffd$/, ""))).toBe(true);
      expect(whole.endsWith(tail.replace(/^\ufffd/, ""))).toBe(true);
      expect(bytesInJson(fitted.text)).toBeGreaterThan(room / 2);
    }),
  );
});
