import type { Outcome } from "@agent-control/base";

/** What a program wants to say about one call. Values are strings, numbers, booleans or null; text is redacted. */
export interface AuditEntry {
  readonly ts: string;
  readonly actor: string;
  readonly action: string;
  readonly outcome: Outcome;
  readonly exit_code: number;
  readonly ms: number;
  readonly [field: string]: string | number | boolean | null | undefined;
}

/** Fields that a call gathers while it runs: caller, target, bytes, sha256 … */
export type AuditFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** An acting call that has not ended. Holds 4 KiB of disk, so that its line can be written on a full disk. */
export interface PendingAudit {
  /**
   * Turns the pending record into the one line. Returns false (and says so on the diagnostics sink) when the line
   * could not be written; the call's outcome stays what it is.
   */
  finish(entry: AuditEntry): Promise<boolean>;
}

export interface Audit {
  /** Reserves the line of an acting call; throws Failure `code: "audit-unwritable"` when it cannot: do not act then. */
  begin(fields: AuditFields): Promise<PendingAudit>;
  /** Writes the line of a call that does not act; returns false, with a diagnostic, when it cannot. */
  record(entry: AuditEntry): Promise<boolean>;
  /** Turns pending records of dead processes into lines with `outcome: "error", detail: "interrupted"`; returns how many. */
  recover(): Promise<number>;
  /** The newest line's number and hash; undefined when the log is empty. */
  head(): Promise<Head | undefined>;
}
