import type { Clock } from "@agent-control/base";
import type { PaneState, StateReading } from "./state.ts";

/** A screen flickers between the parts of a turn. */
const settleMs = 900;

/** Holds back (as undefined) a state that only the screen tells until it has stood for 0.9 s. */
export function createSettling(clock: Clock): (reading: StateReading) => StateReading | undefined {
  let candidate: { readonly state: PaneState; readonly since: number } | undefined;
  return (reading) => {
    if (reading.source !== "screen") {
      candidate = undefined;
      return reading;
    }
    const now = clock.monotonic();
    if (candidate?.state !== reading.state) candidate = { state: reading.state, since: now };
    return now - candidate.since >= settleMs ? reading : undefined;
  };
}
