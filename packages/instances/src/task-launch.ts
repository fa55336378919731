import { Failure, type ProcessTable, throwIfCancelled } from "@agent-control/base";
import type { Guest } from "./guest.ts";
import type { LedgerNote, TaskLedger } from "./task-ledger.ts";
import type { TaskLimit } from "./task-limit.ts";
import type { StartTask } from "./tasks.ts";

export interface LaunchParts {
  readonly guest: Pick<Guest, "startTask" | "cancelTasks">;
  readonly processTable: Pick<ProcessTable, "self">;
  readonly session: string;
  readonly ledger: TaskLedger;
  readonly limit: TaskLimit;
}

/** Reserves a place, starts the task and notes that it runs; gives the place back when it does not. */
export async function launchTask(parts: LaunchParts, id: string, request: StartTask): Promise<void> {
  const { guest, ledger, limit } = parts;
  const { instance, command, cwd, env, maxConcurrentTasks, signal } = request;
  const entry = { instance, task: id, note: launchNote(parts, { launched: false }) };
  await limit.reserve(entry, { limit: maxConcurrentTasks, signal });
  try {
    throwIfCancelled(signal);
    // To its end: a launch that is broken off may begin after it was undone.
    await guest.startTask(instance, { id, command, ...(cwd ? { cwd } : {}), ...(env ? { env } : {}) });
    throwIfCancelled(signal);
  } catch (error) {
    await undoLaunch(parts, instance, id);
    throw error;
  }
  ledger.put({ ...entry, note: launchNote(parts, { launched: true }) });
}

/** What this session's ledger entries say. */
export function launchNote(
  { session, processTable }: Pick<LaunchParts, "session" | "processTable">,
  { launched }: { readonly launched: boolean },
): LedgerNote {
  return { session, launcher: processTable.self(), launched };
}

// A launch that broke off may have gone through: what cannot be ended now goes on counting until it is seen.
async function undoLaunch(parts: LaunchParts, instance: string, id: string): Promise<void> {
  try {
    await parts.guest.cancelTasks(instance, [id]);
    parts.ledger.free(instance, id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    parts.ledger.put({ instance, task: id, note: launchNote(parts, { launched: true }) });
  }
}
