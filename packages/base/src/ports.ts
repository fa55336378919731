/** Time. Waits use `monotonic`; only stored times use `now`. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may step. */
  now(): number;
  /** Milliseconds since this machine booted; never steps and is comparable between processes of one boot. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; throws the `cancelled` Failure at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** `count` bytes from the operating system's secure source. */
  bytes(count: number): Uint8Array;
}

export type FileKind = "file" | "directory" | "symlink" | "socket" | "fifo" | "other";

export interface FileSeen {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, e.g. 0o600. */
  readonly mode: number;
  readonly uid: number;
  readonly modifiedMs: number;
  /** Identifies the file on this machine while it exists: device and inode. */
  readonly id: string;
}

/**
 * Small state files of this user, read and written synchronously: a call takes tens of microseconds and
 * nothing of this process can interleave. Never follows a symlink at the last path element and never blocks
 * on a FIFO. Every method throws a Failure (`code: "file-…"`) naming the path when the machine says no.
 */
export interface Files {
  /** The bytes of a regular file, or undefined when nothing is there. Refuses a FIFO, directory, symlink, device, or more than `limit` bytes. */
  read(path: string, limit: number): Uint8Array | undefined;
  /** `length` bytes (fewer at the end) from `offset` of a regular file; undefined when nothing is there. */
  readAt(path: string, offset: number, length: number): Uint8Array | undefined;
  /** Replaces the file whole: temp file (0600) in the same directory, fsync unless `durable` is false, rename. */
  write(
    path: string,
    bytes: Uint8Array | string,
    options?: { readonly durable?: boolean; readonly mode?: number },
  ): void;
  /** Appends with one write to a regular file, made 0600 when missing; no fsync. */
  append(path: string, bytes: Uint8Array | string): void;
  /** Cuts the file to `size` bytes. */
  truncate(path: string, size: number): void;
  /** Removes a file or symlink; false when nothing was there. */
  remove(path: string): boolean;
  rename(from: string, to: string): void;
  /** Names in a directory, sorted; [] when it is missing. */
  list(directory: string): string[];
  /** Makes the directory and missing parents, each new one 0700; refuses a symlink or a directory of another user at the last element. */
  makeDirectory(directory: string): void;
  /** What is at the path itself (a symlink is not followed); undefined when nothing. */
  look(path: string): FileSeen | undefined;
  /** The path with every symlink resolved; undefined when it does not exist. */
  realPath(path: string): string | undefined;
}

export interface LockOptions {
  /** How long to wait for another holder, milliseconds. */
  readonly waitMs: number;
  /** What is locked, for the error sentence: "pane %3", "the audit log". */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/**
 * Locks between processes of one machine, held by pid, start time and boot id: a dead holder's lock is taken
 * over at once and a recycled pid keeps nothing.
 */
export interface Locks {
  /** Runs `body` while holding the lock at `path`; throws Failure `code: "busy"` when it is not free in time. */
  hold<T>(path: string, options: LockOptions, body: () => Promise<T> | T): Promise<T>;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment; undefined means this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: Uint8Array | string;
  /** Milliseconds until the child is killed. */
  readonly timeoutMs: number;
  /** Bytes kept of each stream; what is over is read and dropped. */
  readonly maxOutputBytes: number;
  /** Which bytes of a longer stream are kept; "start" when left out. */
  readonly keep?: "start" | "end";
  /** True: it gets a process group of its own, and what is killed is the whole group. */
  readonly ownGroup?: boolean;
  readonly signal?: AbortSignal;
}

export interface Finished {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** E.g. "SIGKILL"; undefined when it exited by itself. */
  readonly signalName: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

/** A program that takes over this process's own terminal and streams. */
export type TerminalCommand = Pick<Command, "file" | "args" | "env" | "cwd" | "signal">;

/** Child processes. argv only: there is no way to pass a shell string. */
export interface Processes {
  /**
   * Runs a program to its end. A non-zero exit is a value. Throws Failure `code: "program-missing"` when it
   * cannot be started and the `cancelled` Failure when the signal fires (the child is killed first).
   */
  run(command: Command): Promise<Finished>;
  /**
   * Runs a program on this process's own terminal and streams, for as long as the person uses it. Throws as `run`
   * does; a cancelled one gets SIGTERM and is waited for, so that it can put the terminal back in order.
   */
  runOnTerminal(command: TerminalCommand): Promise<Pick<Finished, "exitCode" | "signalName">>;
  /** Sends a signal; false when no such process exists. */
  signal(pid: number, name: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP"): boolean;
}

/** A process for good: a pid alone is recycled. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque start time: on Linux clock ticks since boot (field 22 of /proc/PID/stat). */
  readonly start: string;
  readonly bootId: string;
}

export interface ProcessSeen extends ProcessIdentity {
  readonly parent: number;
  /** The kernel's short name of the program, at most 15 bytes. */
  readonly name: string;
  /** Ended but not yet collected by its parent: counts as gone. */
  readonly zombie: boolean;
  readonly uid: number;
}

/** What runs on this machine. Source on Linux: /proc. */
export interface ProcessTable {
  bootId(): string;
  /** This process. */
  self(): ProcessIdentity;
  /** The process with this pid now; undefined when there is none. Throws Failure `unavailable` when it cannot look. */
  look(pid: number): ProcessSeen | undefined;
  /** Pids of all live processes, in ascending order. */
  pids(): number[];
  /** Pids of the live children. */
  children(pid: number): number[];
  /** The environment the process was started with; undefined when it is gone or not ours to read. */
  environment(pid: number): Readonly<Record<string, string>> | undefined;
  /** The process's argv; undefined when it is gone. */
  argv(pid: number): readonly string[] | undefined;
}

/** Notices of changes in a directory. */
export interface Watch {
  /**
   * Calls `listener` after something in the directory changed, at least once per burst; the listener looks for
   * itself what changed. The directory must exist. The returned function stops it.
   */
  directory(path: string, listener: () => void): () => void;
}
