import type { StateReading } from "@agent-control/panes";
import * as z from "zod";

/** Output fields of a state, shared by agents_status and agents_wait. */
export const stateFields = {
  launch_id: z.string().optional(),
  profile: z.string().optional(),
  state: z.string().optional().describe("working, waiting, done, starting, error or exited."),
  since: z.string().optional().describe("ISO 8601."),
  detail: z.string().optional(),
  source: z.string().optional().describe("hook, screen or process."),
};

/** A state as a reply shows it. */
export function shownState(reading: StateReading) {
  return {
    state: reading.state,
    ...(reading.since > 0 ? { since: new Date(reading.since).toISOString() } : {}),
    ...(reading.detail === "" ? {} : { detail: reading.detail }),
    source: reading.source,
  };
}
