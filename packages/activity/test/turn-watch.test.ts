import { Failure, type Watch } from "@agent-control/base";
import {
  fakeClock,
  fakeProcessTable,
  manualWatch,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { awaitTurn, createActivity } from "../src/index.ts";
import { sampleEvent } from "./sample-event.ts";

const directory = "/state/fleet";

function machine(brokenWatch?: Watch) {
  const clock = fakeClock({ monotonic: 200_000 });
  const files = memoryFiles({ clock });
  files.makeDirectory("/state");
  const watch = manualWatch();
  const ports = {
    clock,
    files,
    watch,
    processTable: fakeProcessTable(),
    locks: memoryLocks(clock),
    directory,
  };
  const activity = createActivity({ ...ports, watch: brokenWatch ?? watch });
  const abort = new AbortController();
  const wait = (after: number, timeoutMs = 3_000) =>
    awaitTurn(activity, { launchId: "launch-a", after, timeoutMs, clock, signal: abort.signal });
  const now = (sequence: number, turnStarted: boolean) =>
    activity.apply(sampleEvent(sequence, { ts: clock.now(), turnStarted }));
  return { ...ports, activity, abort, wait, now };
}

it("T-22 a turn that began already is answered at once", async () => {
  const { wait, now } = machine();
  await now(5, true);
  expect(await wait(4)).toMatchObject({ turnSequence: 5 });
});

it("T-22 a turn wakes the wait through the watch, without time passing; other events do not end it", async () => {
  const { wait, now, watch, clock } = machine();
  await now(5, true);
  const waiting = wait(5);
  await clock.advance(0);
  await now(6, false);
  watch.change(directory);
  await clock.advance(0);
  const before = clock.monotonic();
  await now(7, true);
  watch.change(directory);
  expect(await waiting).toMatchObject({ turnSequence: 7 });
  expect(clock.monotonic()).toBe(before);
  expect(watch.watched()).toEqual([]);
});

it("T-70 a turn is seen within 500 ms when the watch says nothing", async () => {
  const { wait, now, clock } = machine();
  const waiting = wait(0);
  await clock.advance(0);
  await now(1, true);
  await clock.advance(500);
  expect(await waiting).toMatchObject({ turnSequence: 1 });
});

it("T-22 no turn in time is undefined, and nothing is watched any more", async () => {
  const { wait, now, clock, watch } = machine();
  await now(5, true);
  const waiting = wait(5);
  await clock.advance(3_000);
  expect(await waiting).toBeUndefined();
  expect(watch.watched()).toEqual([]);
});

it("T-22 a fired signal ends the wait as cancelled", async () => {
  const { wait, abort, clock, watch } = machine();
  const waiting = wait(0);
  const outcome = expect(waiting).rejects.toMatchObject({ outcome: "cancelled" });
  await clock.advance(0);
  abort.abort();
  await outcome;
  expect(watch.watched()).toEqual([]);
});

it("T-22 where the kernel refuses a watch the wait looks regularly", async () => {
  const { wait, now, clock } = machine({
    directory: () => {
      throw new Failure("error", {
        code: "watch-limit",
        message: "No watch is left",
        next: "Raise the limit",
      });
    },
  });
  const waiting = wait(0);
  await clock.advance(0);
  await now(1, true);
  await clock.advance(500);
  expect(await waiting).toMatchObject({ turnSequence: 1 });
});
