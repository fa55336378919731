import { expect, it } from "vitest";
import { elapsed } from "../src/agent-view.ts";

it.each([
  [-5_000, "0 s"],
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_599_999, "59 min"],
  [3_600_000, "1 h"],
  [86_399_999, "23 h"],
  [200_000_000, "2 d"],
])("T-28 shows %d ms in the largest unit that is full", (ms, text) => {
  expect(elapsed(ms)).toBe(text);
});
