import type { Clock } from "@agent-control/base";

const ticksPerMs = 100;
const pidValues = 256;

/**
 * Numbers from the time since boot in steps of 10 µs, with the low byte of the process id below it, so that two
 * hooks never share one. They stay exact integers for eleven years of uptime.
 */
export function createSequence(clock: Clock, pid: () => number): () => number {
  let last = 0;
  return () => {
    const tick = Math.floor(clock.monotonic() * ticksPerMs) * pidValues + (pid() % pidValues);
    last = tick > last ? tick : last + pidValues;
    return last;
  };
}
