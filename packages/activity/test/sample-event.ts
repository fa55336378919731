import type { ActivityEvent } from "../src/index.ts";

/** An event of one Claude Code session; `sequence` is required so that a test says what is newer. */
export function sampleEvent(sequence: number, changes: Partial<ActivityEvent> = {}): ActivityEvent {
  return {
    harness: "claude",
    sessionId: "0f1e-2d3c",
    instance: "",
    launchId: "launch-a",
    cwd: "/home/me/shop",
    process: undefined,
    status: "working",
    detail: "",
    tool: "",
    event: "PreToolUse",
    turnStarted: false,
    ts: 1_700_000_000_000 + sequence,
    sequence,
    ...changes,
  };
}
