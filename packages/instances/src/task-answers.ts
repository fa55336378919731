import type { TaskSeen } from "./guest.ts";
import type { TaskLedger } from "./task-ledger.ts";
import { isSettled, type TaskRecord, type TaskRegistry } from "./task-registry.ts";
import { askForTasks, byInstance, isOver, type TaskAsking } from "./task-states.ts";

export interface AnswersParts extends TaskAsking {
  readonly ledger: TaskLedger;
  readonly registry: TaskRegistry;
}

/**
 * The states of tasks of this session, asked of each instance once; what is over is believed and no longer counted.
 * A task that could not be asked is "unknown" with the sizes last seen.
 */
export async function askRegistered(
  parts: AnswersParts,
  tasks: readonly TaskRecord[],
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, TaskSeen>> {
  const open = tasks.filter((task) => !isSettled(task));
  const answers = await Promise.all(
    [...byInstance(open)].map(([instance, own]) =>
      askForTasks(parts, instance, { ids: own.map(({ id }) => id), ...options }),
    ),
  );
  const seen = new Map(answers.flatMap((answer) => [...answer]));
  for (const [id, state] of seen) learnState(parts, id, state);
  return new Map(
    tasks.map(({ id }) => {
      const believed = parts.registry.require(id).seen;
      return [id, seen.get(id)?.state === "unknown" ? { ...believed, state: "unknown" } : believed];
    }),
  );
}

/** Believes a state, and frees the task's place when it is over. */
export function learnState(
  { registry, ledger }: Pick<AnswersParts, "registry" | "ledger">,
  id: string,
  seen: TaskSeen,
): void {
  registry.believe(id, seen);
  if (isOver(seen.state)) ledger.free(registry.require(id).instance, id);
}
