import { Failure } from "@agent-control/base";
import type { TaskListed, TaskSeen } from "./guest.ts";
import { isOver } from "./task-states.ts";

export interface TaskRecord {
  readonly id: string;
  readonly instance: string;
  readonly kind: TaskListed["kind"];
  /** The last state that was not "unknown". */
  readonly seen: TaskSeen;
}

/** The tasks of one session, oldest first, with what is believed of each. */
export interface TaskRegistry {
  add(task: TaskRecord): void;
  /** Throws `refused`, code `task-unknown`, unless the task is this session's. */
  require(id: string): TaskRecord;
  on(instance: string): readonly TaskRecord[];
  running(): readonly TaskRecord[];
  /** Believes what was seen, unless it is "unknown"; a command that was over stays so. */
  believe(id: string, seen: TaskSeen): void;
}

export function createTaskRegistry(): TaskRegistry {
  const tasks = new Map<string, TaskRecord>();
  return {
    add: (task) => void tasks.set(task.id, task),
    require(id) {
      const task = tasks.get(id);
      if (task) return task;
      throw new Failure("refused", {
        code: "task-unknown",
        message: `This session has no task ${JSON.stringify(id.slice(0, 80))}`,
        next: "See list_instances for the task ids; adopt_instance takes over those of another session",
      });
    },
    on: (instance) => [...tasks.values()].filter((task) => task.instance === instance),
    running: () => [...tasks.values()].filter(({ seen }) => !isOver(seen.state)),
    believe(id, seen) {
      const task = tasks.get(id);
      if (task && seen.state !== "unknown" && !isSettled(task)) tasks.set(id, { ...task, seen });
    },
  };
}

/** Over for good: a command is never continued. */
export function isSettled({ kind, seen }: TaskRecord): boolean {
  return kind === "command" && isOver(seen.state);
}
