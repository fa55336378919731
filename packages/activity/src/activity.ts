import type { ProcessIdentity } from "@agent-control/base";

export type Status = "started" | "working" | "done" | "waiting" | "error" | "ended";

/** The last known status of one session of one harness. One file per record; the file name derives from `id`. */
export interface StatusRecord {
  readonly schema: 1;
  /** `<harness>-<32 hex>`: hash of harness, session id and instance, never the raw values. */
  readonly id: string;
  readonly harness: string;
  readonly sessionId: string;
  readonly launchId: string | undefined;
  readonly cwd: string;
  /** Last path element of cwd. */
  readonly repo: string;
  readonly process: ProcessIdentity | undefined;
  readonly status: Status;
  readonly detail: string;
  readonly tool: string;
  /** Milliseconds since the epoch of the last event. */
  readonly ts: number;
  /** Grows with each event of a record; an older or equal one is ignored. */
  readonly sequence: number;
  /** Event name of the harness, e.g. "Stop". */
  readonly lastEvent: string;
  /** Sequence of the newest event that said "a prompt was accepted and a turn began"; 0 when none yet. */
  readonly turnSequence: number;
  /** Milliseconds since the epoch of that event; 0 when none yet. */
  readonly turnTs: number;
}

export interface ActivityEvent {
  readonly harness: string;
  readonly sessionId: string;
  /** Tells two sessions with one id apart, e.g. the process's identity as text; "" when not needed. */
  readonly instance: string;
  readonly launchId: string | undefined;
  readonly cwd: string;
  readonly process: ProcessIdentity | undefined;
  readonly status: Status;
  readonly detail: string;
  readonly tool: string;
  readonly event: string;
  readonly turnStarted: boolean;
  /** Taken by `takeSequence` before anything slow happened. */
  readonly sequence: number;
  readonly ts: number;
}

export interface Activity {
  /** A number larger than every one taken before on this machine and boot; taken first thing in a hook. */
  takeSequence(): number;
  /**
   * Folds the event into its record under a lock and returns the record as it stands. An older or equal sequence
   * changes nothing, except that a turn it began, and that nobody reported yet, is kept. The end of a session without
   * a record makes none. Throws `busy` after 10 s.
   */
  apply(event: ActivityEvent): Promise<StatusRecord | undefined>;
  /** Every readable record; those whose process is gone are returned (and stored) as `ended`. Malformed files are skipped. */
  list(): Promise<StatusRecord[]>;
  /** The newest record of a launch; undefined when it never reported. */
  ofLaunch(launchId: string): Promise<StatusRecord | undefined>;
  /** Calls the listener after any record changed; returns a function that stops it. */
  onChange(listener: () => void): () => void;
  /** Removes records that ended more than `olderThanMs` ago; returns how many. */
  cleanup(olderThanMs: number): Promise<number>;
}
