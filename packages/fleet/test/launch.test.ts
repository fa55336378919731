import fc from "fast-check";
import { expect, it } from "vitest";
import { isLaunchId, launchId } from "../src/index.ts";

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

it("T-05 makes 26 base32 characters of 128 bits, different for different bits", () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(launchId(one)).toMatch(/^[a-z2-7]{26}$/);
      expect(isLaunchId(launchId(one))).toBe(true);
      expect(launchId(one) === launchId(other)).toBe(Buffer.compare(one, other) === 0);
    }),
  );
});

it("T-05 keeps every single bit, the last one too", () => {
  const ids = Array.from({ length: 128 }, (_, bit) => {
    const one = new Uint8Array(16);
    one[bit >> 3] = 1 << (bit & 7);
    return launchId(one);
  });
  expect(new Set([...ids, launchId(new Uint8Array(16))]).size).toBe(129);
});

it.each([
  "",
  "../../etc/passwd",
  "a".repeat(25),
  "a".repeat(27),
  "A".repeat(26),
  `${"a".repeat(26)}\n`,
  `${"a".repeat(25)}1`,
])("T-10 takes no file name out of %j", (text) => {
  expect(isLaunchId(text)).toBe(false);
});
