import { Failure } from "@agent-control/base";
import type { Guest, TaskListed, TaskSeen, TaskState } from "../src/guest.ts";

/** What runs in the instances of a test. */
export interface FakeGuests {
  readonly guest: Guest;
  readonly instances: { get(name: string): Promise<never> };
  /** Calls so far, e.g. "probe one t1-abcd". */
  readonly calls: string[];
  /** Instances that are not running; "gone" ones do not exist. */
  readonly down: Map<string, "Stopped" | "Frozen" | "gone">;
  set(id: string, state: TaskState, exitCode?: number): void;
  /** Makes the next start fail, before or after the guest began the task. */
  failStart(how: "before" | "after" | undefined): void;
  /** While set, probes wait for it. */
  hold: Promise<void> | undefined;
}

export const seenTask = (state: TaskState, exitCode?: number): TaskSeen => ({
  state,
  exitCode,
  startedAt: 1,
  lastActivityAt: 2,
  stdoutBytes: 3,
  stderrBytes: 4,
});

/** Instances without an Incus: tasks are entries of a map. */
export function fakeGuests(): FakeGuests {
  const tasks = new Map<string, TaskListed & { readonly instance: string }>();
  const calls: string[] = [];
  const down = new Map<string, "Stopped" | "Frozen" | "gone">();
  let failing: "before" | "after" | undefined;
  const unmodelled = () => {
    throw new Error("fakeGuests does not model this");
  };
  const requireUp = (instance: string): void => {
    if (!down.has(instance)) return;
    throw new Failure("error", {
      code: "instance-not-running",
      message: `${instance} is down`,
      next: "Start it",
    });
  };
  const self: FakeGuests = {
    calls,
    down,
    hold: undefined,
    set(id, state, exitCode) {
      const task = tasks.get(id);
      if (!task) throw new Error(`no task ${id}`);
      tasks.set(id, { ...task, seen: seenTask(state, exitCode) });
    },
    failStart: (how) => {
      failing = how;
    },
    instances: {
      async get(name) {
        const status = down.get(name) ?? "Running";
        return (status === "gone" ? undefined : { name, status }) as never;
      },
    },
    guest: {
      waitForBoot: unmodelled,
      exec: unmodelled,
      clearTasks: unmodelled,
      presence: unmodelled,
      async startTask(instance, { id }) {
        calls.push(`start ${instance} ${id}`);
        await self.hold;
        requireUp(instance);
        if (failing !== "before") tasks.set(id, { id, instance, kind: "command", seen: seenTask("running") });
        if (failing === undefined) return;
        failing = undefined;
        throw new Failure("unavailable", {
          code: "task-not-started",
          message: "It broke off",
          next: "Try again",
        });
      },
      async probeTasks(instance, ids) {
        calls.push(`probe ${instance} ${ids.length}`);
        await self.hold;
        requireUp(instance);
        return new Map(ids.map((id) => [id, tasks.get(id)?.seen ?? seenTask("lost")]));
      },
      async listTasks(instance) {
        requireUp(instance);
        return [...tasks.values()].filter((task) => task.instance === instance);
      },
      async readTask(instance, id, { stream, offset = 0 }) {
        return { text: `${instance} ${id} ${stream}`, offset, nextOffset: offset + 1, totalBytes: 9 };
      },
      async cancelTasks(instance, ids) {
        calls.push(`cancel ${instance} ${ids.length}`);
        requireUp(instance);
        for (const id of ids) if (tasks.get(id)?.seen.state === "running") self.set(id, "finished", 143);
      },
    },
  };
  return self;
}
