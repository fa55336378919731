import { expect, it } from "vitest";
import { pageOf } from "../src/page.ts";

const rows = Array.from({ length: 500 }, (_, index) => ({ index, text: "é".repeat(40) }));

it("C-22 cuts a long list to what fits, and reads on to the end without gap or repeat", () => {
  const seen: typeof rows = [];
  for (let truncated = true; truncated; ) {
    const page = pageOf(rows, seen.length);
    expect(Buffer.byteLength(JSON.stringify(page.entries))).toBeLessThan(8400);
    expect(page.total).toBe(500);
    seen.push(...page.entries);
    truncated = page.truncated;
  }
  expect(seen).toEqual(rows);
});

it("C-22 shows an entry that is too long by itself, and nothing beyond the end", () => {
  expect(pageOf(["x".repeat(20_000), "y"], 0)).toMatchObject({
    entries: ["x".repeat(20_000)],
    truncated: true,
  });
  expect(pageOf(rows, 700)).toEqual({ entries: [], total: 500, truncated: false });
  expect(pageOf([], 0)).toEqual({ entries: [], total: 0, truncated: false });
});
