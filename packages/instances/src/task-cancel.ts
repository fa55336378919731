import { Failure } from "@agent-control/base";
import type { Guest } from "./guest.ts";
import { type AnswersParts, askRegistered } from "./task-answers.ts";
import { isSettled, type TaskRecord } from "./task-registry.ts";
import { byInstance, isOver } from "./task-states.ts";

/** Ends tasks, in one guest call per instance; one whose instance stopped meanwhile needs no more ending. */
export async function cancelRegistered(
  parts: AnswersParts & { readonly guest: Pick<Guest, "cancelTasks"> },
  tasks: readonly TaskRecord[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const open = tasks.filter((task) => !isSettled(task));
  const failures = await Promise.all(
    [...byInstance(open)].map(([instance, own]) =>
      refusalOf(
        parts.guest.cancelTasks(
          instance,
          own.map(({ id }) => id),
          signal,
        ),
      ),
    ),
  );
  const seen = await askRegistered(parts, open, { timeoutMs: 10_000, signal });
  const failure = failures.find((one) => one !== undefined);
  if (failure && [...seen.values()].some(({ state }) => !isOver(state))) throw failure;
}

async function refusalOf(call: Promise<void>): Promise<Failure | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.outcome !== "cancelled") return error;
    throw error;
  }
}
