/** Work inside running instances, as agentuser and in systemd units, so that all of it can be found and ended. */
export interface Guest {
  /** Resolves when systemd answers on its bus (not when every unit is up); throws `unavailable`, code `guest-not-booted`. */
  waitForBoot(
    instance: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Runs one command line to its end; see spec X-16. */
  exec(instance: string, request: GuestExec): Promise<GuestExecEnded>;
  /** Starts a command line as a background unit with its records under ~/.isx-mcp/tasks/<id>; resolves once it runs. */
  startTask(instance: string, task: TaskStart, signal?: AbortSignal): Promise<void>;
  /** One cheap call for all tasks of an instance; a task that is not there is "lost". Never throws for a torn or hostile record. */
  probeTasks(
    instance: string,
    ids: readonly string[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, TaskSeen>>;
  /** Every task record that the instance holds, for adoption. */
  listTasks(instance: string, signal?: AbortSignal): Promise<readonly TaskListed[]>;
  /** A piece of a stream's file, from `offset` or the last `limit` bytes. */
  readTask(instance: string, id: string, piece: TaskPiece): Promise<TaskText>;
  /** Ends the units and every marked process; records exit 143. A task without a record is a success. */
  cancelTasks(instance: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Removes all task records: a fork starts without its source's. */
  clearTasks(instance: string, signal?: AbortSignal): Promise<void>;
  /** Who is in there and what works, in one call of at most `timeoutMs`; undefined when it did not answer. */
  presence(
    instance: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Presence | undefined>;
}

export interface GuestExec {
  /** Passed whole to `bash -lc`; at most 1 MiB, no NUL. */
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** Bytes kept of both streams together: the head and the tail of each. */
  readonly maxOutputBytes: number;
  /** Called with the last complete line of output, at most once a second. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface GuestExecEnded {
  readonly exitCode: number;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}

export interface KeptOutput {
  /** Plain text: control sequences removed, invalid UTF-8 replaced; where the middle was dropped one line says how many bytes. */
  readonly text: string;
  readonly totalBytes: number;
  readonly truncated: boolean;
}

export interface TaskStart {
  /** `[a-z0-9-]{1,40}` */
  readonly id: string;
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type TaskState = "running" | "finished" | "attached" | "lost" | "unknown";

export interface TaskSeen {
  readonly state: TaskState;
  /** Of a finished one; 128+n for a signal. */
  readonly exitCode: number | undefined;
  /** Guest clock, ms since the epoch. */
  readonly startedAt: number | undefined;
  readonly lastActivityAt: number | undefined;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export interface TaskListed {
  readonly id: string;
  readonly kind: "command" | "agent";
  readonly seen: TaskSeen;
}

export interface TaskPiece {
  readonly stream: "stdout" | "stderr";
  /** Undefined: the last `limit` bytes. */
  readonly offset: number | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

export interface TaskText {
  /** Plain text, as in KeptOutput. */
  readonly text: string;
  readonly offset: number;
  /** Where the next piece begins: a character that the limit would cut is left to it. */
  readonly nextOffset: number;
  readonly totalBytes: number;
}

export interface Presence {
  /** A person's terminal is open in it. */
  readonly attended: boolean;
  /** Agent tasks that run or whose state is unknown; background commands do not count. */
  readonly workingAgents: readonly string[];
  /** Guest clock, ms: the newest write to an agent task's files; undefined when there is none. */
  readonly lastAgentActivityAt: number | undefined;
  /** Guest clock now, ms. */
  readonly now: number;
}
