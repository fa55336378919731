import { fakeRandom } from "@agent-control/base/testing";
import { describe, expect, it } from "vitest";
import { createRandom } from "../src/index.ts";

describe.each([
  ["real random", createRandom],
  ["fake random", () => fakeRandom(7)],
] as const)("%s", (_, make) => {
  it("gives as many bytes as asked and never the same again", () => {
    const random = make();
    expect(random.bytes(0)).toEqual(new Uint8Array(0));
    const seen = new Set(Array.from({ length: 500 }, () => random.bytes(16).join()));
    expect(seen.size).toBe(500);
  });

  it("uses every byte value", () => {
    expect(new Set(make().bytes(10_000)).size).toBe(256);
  });
});

it("the fake repeats itself for the same seed only", () => {
  expect(fakeRandom(1).bytes(8)).toEqual(fakeRandom(1).bytes(8));
  expect(fakeRandom(1).bytes(8)).not.toEqual(fakeRandom(2).bytes(8));
});
