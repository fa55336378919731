import type { Clock } from "@agent-control/base";
import type { TaskSeen } from "./guest.ts";
import { isOver } from "./task-states.ts";
import type { Tasks } from "./tasks.ts";

type Seen = ReadonlyMap<string, TaskSeen>;

/** Asks for the states in rounds until one is over or the time is up; a round that hangs is cut short by the end. */
export async function waitForAny(
  clock: Clock,
  ask: (limit: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<Seen>,
  { timeoutMs, signal, onPoll }: Parameters<Tasks["waitAny"]>[1],
): Promise<Seen> {
  const deadline = clock.monotonic() + timeoutMs;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const askMs = Math.min(Math.max(deadline - clock.monotonic(), shortestAskMs), longestAskMs);
    const seen = await ask({ timeoutMs: askMs, signal });
    const going = [...seen.values()].filter(({ state }) => !isOver(state)).length;
    const leftMs = deadline - clock.monotonic();
    if (going < seen.size || seen.size === 0 || leftMs <= 0) return seen;
    onPoll?.(going);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

const shortestPauseMs = 250;
const longestPauseMs = 2000;
const shortestAskMs = 1000;
const longestAskMs = 10_000;
