import type { Clock } from "@agent-control/base";
import type { PromptMark } from "./prompt-mark.ts";
import type { StateReading } from "./state.ts";

const noTurnAfterMs = 10_000;

/** no-prompt: none is waited for. awaited: its turn may still begin. never: it began none in 10 s. */
export type Turn = "no-prompt" | "awaited" | "began" | "never";

/**
 * Whether the prompt's turn has begun, told at every reading: by a turn event newer than the prompt; without any
 * turn event of the launch, by a working screen.
 */
export function createTurnCheck(clock: Clock, prompt: PromptMark | undefined): (seen: StateReading) => Turn {
  let began = prompt?.turnStarted === true;
  return (seen) => {
    if (prompt === undefined) return "no-prompt";
    const workingWithoutHooks = seen.turnSequence === 0 && seen.state === "working";
    began ||= seen.turnSequence > prompt.turnSequence || workingWithoutHooks;
    if (began) return "began";
    return clock.monotonic() - prompt.at >= noTurnAfterMs ? "never" : "awaited";
  };
}
