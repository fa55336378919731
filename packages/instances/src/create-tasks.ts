import type { Clock, ProcessTable, Random } from "@agent-control/base";
import type { Guest } from "./guest.ts";
import { askRegistered, learnState } from "./task-answers.ts";
import { cancelRegistered } from "./task-cancel.ts";
import { createTaskIds } from "./task-id.ts";
import { launchNote, launchTask } from "./task-launch.ts";
import { createTaskLedger, type LedgerParts } from "./task-ledger.ts";
import { createTaskLimit } from "./task-limit.ts";
import { unknownTask } from "./task-look.ts";
import { createTaskRegistry, type TaskRecord } from "./task-registry.ts";
import { isOver, lostTask, type TaskAsking } from "./task-states.ts";
import { waitForAny } from "./task-wait.ts";
import type { Tasks } from "./tasks.ts";

export interface TasksParts extends LedgerParts, TaskAsking {
  readonly guest: Guest;
  readonly clock: Clock;
  readonly random: Random;
  readonly processTable: ProcessTable;
  /** This session's id. */
  readonly session: string;
}

/** The port over a guest, and over a ledger in a directory that all sessions of one person share. */
export function createTasks(parts: TasksParts): Tasks {
  const { guest, clock } = parts;
  const ledger = createTaskLedger(parts);
  const registry = createTaskRegistry();
  const all = { ...parts, ledger, registry, limit: createTaskLimit({ ...parts, ledger }) };
  const nextId = createTaskIds(parts.random);
  const foreground = new Map<string, number>();
  const known = (ids: readonly string[]): TaskRecord[] => ids.map(registry.require);

  return {
    async start(request) {
      const id = nextId();
      await launchTask(all, id, request);
      const seen = { ...unknownTask, state: "running", startedAt: clock.now() } as const;
      registry.add({ id, instance: request.instance, kind: "command", seen });
      return { id };
    },
    require: (id) => withState(registry.require(id)),
    states: async (ids, signal) => askRegistered(all, known(ids), { timeoutMs: askMs, signal }),
    waitAny: async (ids, options) =>
      waitForAny(clock, (limit) => askRegistered(all, known(ids), limit), options),
    read: async (id, { signal, ...piece }) =>
      guest.readTask(registry.require(id).instance, id, { ...piece, ...(signal ? { signal } : {}) }),
    cancel: async (ids, signal) => cancelRegistered(all, known(ids), signal),
    running: () => registry.running().map(({ id }) => id),
    on: (instance) => registry.on(instance).map(withState),
    async unfinished(instance, signal) {
      const seen = await askRegistered(all, registry.on(instance), { timeoutMs: askMs, signal });
      const tasks = [...seen].filter(([, { state }]) => !isOver(state)).map(([id]) => id);
      return [...tasks, ...Array(foreground.get(instance) ?? 0).fill("a foreground command")];
    },
    async adopt(instance, signal) {
      const listed = await guest.listTasks(instance, signal);
      for (const { id, kind, seen } of listed) {
        registry.add({ id, instance, kind, seen });
        if (isOver(seen.state)) ledger.free(instance, id);
        else ledger.put({ instance, task: id, note: launchNote(parts, { launched: true }) });
      }
      return listed.map(({ id }) => id);
    },
    async forget(instance) {
      const open = registry.on(instance).filter(({ seen }) => !isOver(seen.state));
      for (const { id } of open) learnState(all, id, lostTask);
      for (const entry of ledger.entries())
        if (entry.instance === instance) ledger.free(instance, entry.task);
    },
    async foreground(instance, body) {
      foreground.set(instance, (foreground.get(instance) ?? 0) + 1);
      try {
        return await body();
      } finally {
        foreground.set(instance, (foreground.get(instance) ?? 1) - 1);
      }
    },
  };
}

const askMs = 10_000;

function withState({ id, instance, kind, seen }: TaskRecord) {
  return { id, instance, kind, state: seen.state };
}
