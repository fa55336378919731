import { expect, it } from "vitest";
import { idleness } from "../src/idleness.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** Looks one after the other, as [hours since the first, CPU seconds]; the idle hours that the last one shows. */
function idleHours(
  looks: readonly (readonly [number, number | undefined])[],
  gapMs = hourMs,
): number | undefined {
  let found = idleness(undefined, { nowMs: start, cpuNs: undefined, gapMs });
  for (const [hours, seconds] of looks) {
    const cpuNs = seconds === undefined ? undefined : seconds * 1e9;
    found = idleness(found.sample, { nowMs: start + hours * hourMs, cpuNs, gapMs });
  }
  return found.idleMs === undefined ? undefined : found.idleMs / hourMs;
}

it("X-40 shows no idleness at a first look, without a count, and with a count that fell", () => {
  expect(idleHours([[0, 5]])).toBeUndefined();
  expect(
    idleHours([
      [0, 5],
      [2, undefined],
    ]),
  ).toBeUndefined();
  expect(
    idleHours([
      [0, 5],
      [2, undefined],
      [4, 5],
    ]),
  ).toBeUndefined();
  expect(
    idleHours([
      [0, 50],
      [2, 5],
    ]),
  ).toBeUndefined();
});

it("X-40 adds up hours in which less than 1 % of a processor was used", () => {
  expect(
    idleHours([
      [0, 0],
      [1, 35],
    ]),
  ).toBe(1);
  expect(
    idleHours([
      [0, 0],
      [1, 35],
      [5, 100],
      [24, 200],
    ]),
  ).toBe(24);
  expect(
    idleHours([
      [0, 0],
      [1, 36],
    ]),
  ).toBeUndefined();
  expect(
    idleHours([
      [0, 0],
      [10, 10],
      [20, 4000],
      [21, 4001],
    ]),
  ).toBe(1);
});

it("X-40 neither compares nor remembers a look that comes too early, but goes on from the older one", () => {
  expect(
    idleHours([
      [0, 0],
      [0.9, 1],
    ]),
  ).toBeUndefined();
  expect(
    idleHours([
      [0, 0],
      [0.5, 1],
      [0.9, 2],
      [1.2, 3],
    ]),
  ).toBe(1.2);
  expect(
    idleHours(
      [
        [0, 0],
        [0, 0],
      ],
      0,
    ),
  ).toBeUndefined();
  expect(
    idleHours(
      [
        [0, 0],
        [0.1, 0],
      ],
      0,
    ),
  ).toBe(0.1);
});

it("X-40 begins anew after the clock was set back, and with a sample that nobody wrote", () => {
  expect(
    idleHours([
      [5, 0],
      [1, 0],
      [3, 0],
    ]),
  ).toBe(2);
  for (const sample of [
    "",
    "x",
    "a b c",
    "2026-01-01T00:00:00.000Z 5",
    "2026-01-01T00:00:00.000Z -5 2026-01-01T00:00:00.000Z",
  ]) {
    expect(idleness(sample, { nowMs: start + 50 * hourMs, cpuNs: 5, gapMs: hourMs }).idleMs).toBeUndefined();
  }
});
