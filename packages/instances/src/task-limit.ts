import { Failure, isAlive, orCancelled, type ProcessTable } from "@agent-control/base";
import type { LedgerEntry, LedgerNote, TaskLedger } from "./task-ledger.ts";
import { askForTasks, byInstance, isOver, type TaskAsking } from "./task-states.ts";

/** The limit on running tasks of a person, over all sessions. */
export interface TaskLimit {
  /** Takes a place; when none is left, frees first what the guests say is over. Throws `refused`, code `task-limit`. */
  reserve(
    entry: LedgerEntry & { readonly note: LedgerNote },
    options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

export interface TaskLimitParts extends TaskAsking {
  readonly ledger: TaskLedger;
  readonly processTable: ProcessTable;
}

export function createTaskLimit(parts: TaskLimitParts): TaskLimit {
  const { ledger } = parts;
  let asking: Promise<void> | undefined;
  // Calls that are refused at the same time share one question per instance.
  const freeOver = (): Promise<void> => {
    asking ??= freeWhatIsOver(parts).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async reserve(entry, { limit, signal }) {
      if (await ledger.reserve(entry, limit)) return;
      await (signal ? orCancelled(signal, freeOver()) : freeOver());
      if (await ledger.reserve(entry, limit)) return;
      throw limitReached(ledger.entries(), entry.note.session, limit);
    },
  };
}

const probeMs = 10_000;

async function freeWhatIsOver(parts: TaskLimitParts): Promise<void> {
  const { ledger, processTable } = parts;
  const judged = ledger.entries().filter(({ note }) => !isBeingLaunched(processTable, note));
  await Promise.all(
    [...byInstance(judged)].map(async ([instance, entries]) => {
      const ids = entries.map(({ task }) => task);
      const seen = await askForTasks(parts, instance, { ids, timeoutMs: probeMs });
      for (const [id, { state }] of seen) if (isOver(state)) ledger.free(instance, id);
    }),
  );
}

function isBeingLaunched(processTable: ProcessTable, note: LedgerNote | undefined): boolean {
  return note !== undefined && !note.launched && isAlive(processTable, note.launcher);
}

function limitReached(entries: readonly LedgerEntry[], session: string, limit: number): Failure {
  const own = entries.filter(({ note }) => note?.session === session).length;
  const others = entries.length - own;
  return new Failure("refused", {
    code: "task-limit",
    message: `max-concurrent-tasks is ${limit}, and ${own} of this session and ${others} of other sessions run or are not known to have ended`,
    next: "Wait for one with wait_any or end one with cancel_task; only the person can raise the limit, in mcp.yaml",
    details: { limit, own, others },
  });
}
