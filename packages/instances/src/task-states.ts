import { Failure } from "@agent-control/base";
import type { Instances } from "@agent-control/incus";
import type { Guest, TaskSeen, TaskState } from "./guest.ts";
import { unknownTask } from "./task-look.ts";

export interface TaskAsking {
  readonly guest: Pick<Guest, "probeTasks">;
  readonly instances: Pick<Instances, "get">;
}

/** Finished or lost for good, or handed to a person. */
export function isOver(state: TaskState): boolean {
  return state === "finished" || state === "lost" || state === "attached";
}

/**
 * States of tasks of one instance, in one guest call. Tasks of an instance that stopped or is gone are lost; those of
 * one that does not answer are unknown.
 */
export async function askForTasks(
  { guest, instances }: TaskAsking,
  instance: string,
  options: {
    readonly ids: readonly string[];
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadonlyMap<string, TaskSeen>> {
  const { ids, timeoutMs, signal } = options;
  const all = (seen: TaskSeen) => new Map(ids.map((id) => [id, seen]));
  try {
    return await guest.probeTasks(instance, ids, { timeoutMs, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (!isAbout(error)) throw error;
    return all((await isDown(instances, instance, signal)) ? lostTask : unknownTask);
  }
}

/** What is on each instance, in the order given. */
export function byInstance<T extends { readonly instance: string }>(
  things: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) groups.set(thing.instance, [...(groups.get(thing.instance) ?? []), thing]);
  return groups;
}

/** A task whose instance ended under it. */
export const lostTask: TaskSeen = { ...unknownTask, state: "lost" };

async function isDown(
  instances: Pick<Instances, "get">,
  instance: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const seen = await instances.get(instance, signal);
    return seen === undefined || seen.status === "Stopped";
  } catch (error) {
    if (!isAbout(error)) throw error;
    return false;
  }
}

// The instance or Incus said no; the caller itself goes on.
function isAbout(error: unknown): error is Failure {
  return error instanceof Failure && error.outcome !== "cancelled";
}
