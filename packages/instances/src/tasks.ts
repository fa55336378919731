import type { TaskSeen, TaskState, TaskText } from "./guest.ts";

/**
 * The tasks of one session and the count over all sessions of a person. A host ledger, one small file per task
 * under a lock, says what runs before it is launched; the guest says what became of it.
 */
export interface Tasks {
  /** Reserves a place in the ledger (refused, code `task-limit`, with the counts), launches, returns the id. */
  start(request: StartTask): Promise<{ readonly id: string }>;
  /** Throws `task-unknown` unless the task is this session's. */
  require(id: string): TaskKnown;
  /** One guest call per instance for all ids; never throws for an unreachable instance: its tasks are "unknown". */
  states(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, TaskSeen>>;
  /** Resolves when one of them is over or the time is up; polls each instance once per round. */
  waitAny(
    ids: readonly string[],
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onPoll?: (running: number) => void;
    },
  ): Promise<ReadonlyMap<string, TaskSeen>>;
  read(
    id: string,
    piece: {
      readonly stream: "stdout" | "stderr";
      readonly offset: number | undefined;
      readonly limit: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<TaskText>;
  cancel(ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Ids of this session's tasks that are not known to be over, oldest first. */
  running(): readonly string[];
  /** This session's tasks on one instance with the state last seen. */
  on(
    instance: string,
  ): readonly { readonly id: string; readonly kind: "command" | "agent"; readonly state: TaskState }[];
  /** Running or unknown tasks and foreground commands on an instance, asked of the guest now. */
  unfinished(instance: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** Takes over the tasks that an adopted instance holds. */
  adopt(instance: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** The instance stopped or is gone: its ledger entries are freed, its tasks lost. */
  forget(instance: string): Promise<void>;
  /** Counts a foreground command on the instance while `body` runs. */
  foreground<T>(instance: string, body: () => Promise<T>): Promise<T>;
}

export interface StartTask {
  readonly instance: string;
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxConcurrentTasks: number;
  readonly signal?: AbortSignal;
}

export interface TaskKnown {
  readonly id: string;
  readonly instance: string;
  readonly kind: "command" | "agent";
  /** As last seen. */
  readonly state: TaskState;
}
