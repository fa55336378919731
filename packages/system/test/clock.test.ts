import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fakeClock } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createClock } from "../src/index.ts";
import { clockContract } from "./clock-contract.ts";
import { failureOf } from "./failures.ts";

clockContract("real clock", createClock);
clockContract("fake clock", () => fakeClock({ autoAdvance: true }));

it("T-16 counts monotonic time from the machine's boot, the same in every process", () => {
  const clock = createClock();
  const before = clock.monotonic();
  const code = "const [s, n] = process.hrtime(); console.log(s * 1e3 + n / 1e6)";
  const other = Number(spawnSync(process.execPath, ["-e", code]).stdout.toString());
  expect(other).toBeGreaterThan(before);
  expect(other).toBeLessThan(clock.monotonic());
  const uptimeMs = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000;
  expect(clock.monotonic()).toBeLessThanOrEqual(uptimeMs + 1000);
});

it("does not wake at once from a sleep that is too long for one timer", async () => {
  const stop = new AbortController();
  const sleeping = failureOf(() => createClock().sleep(2 ** 31, stop.signal)).then(
    (failure) => failure.outcome,
  );
  const first = await Promise.race([
    sleeping,
    createClock()
      .sleep(30)
      .then(() => "still asleep"),
  ]);
  stop.abort();
  expect(first).toBe("still asleep");
  expect(await sleeping).toBe("cancelled");
});

it("the fake clock moves only when told, and its wall clock steps alone", async () => {
  const clock = fakeClock({ now: 1_000, monotonic: 5 });
  let woken = 0;
  const twice = clock
    .sleep(10)
    .then(() => clock.sleep(10))
    .then(() => (woken = clock.monotonic()));
  await clock.advance(9);
  expect([clock.sleepers(), woken]).toEqual([1, 0]);
  clock.stepWall(-500);
  await clock.advance(11);
  await twice;
  expect([woken, clock.now(), clock.monotonic()]).toEqual([25, 520, 25]);
});
