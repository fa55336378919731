import { setTimeout as timeout } from "node:timers/promises";
import { type Clock, cancelled, throwIfCancelled } from "@agent-control/base";

// A longer timer would fire at once: Node keeps delays in 31 bits.
const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock; `monotonic` is CLOCK_MONOTONIC, the same for every process of one boot. */
export function createClock(): Clock {
  return { now: () => Date.now(), monotonic, sleep };
}

function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  throwIfCancelled(signal);
  for (let left = ms; left > 0; left -= longestTimerMs)
    await oneTimer(Math.min(left, longestTimerMs), signal);
}

async function oneTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await timeout(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw cancelled(error);
  }
}
