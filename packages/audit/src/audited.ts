import { asFailure, type Clock, exitCodes, Failure, type Outcome } from "@agent-control/base";
import type { Audit, AuditEntry, AuditFields, PendingAudit } from "./audit.ts";
import { reasonOf } from "./log.ts";

export interface AuditedCallOptions<T> {
  readonly clock: Clock;
  /** Takes the warning that a call goes on unaudited. */
  readonly diagnose: (line: string) => void;
  readonly actor: string;
  readonly action: string;
  /** Known before the call runs. */
  readonly fields?: AuditFields;
  /** True: a pending record is written first, and a log that cannot be written stops the call. */
  readonly acting: boolean;
  /** True for stopping, cancelling and destroying: a log that cannot be written does not stop the call. */
  readonly evenUnaudited?: boolean;
  /** The outcome of a value; `ok` when left out. */
  readonly outcomeOf?: (value: T) => Outcome;
}

export interface Audited<T> {
  readonly value: T;
  /** True when the call's line could not be written. */
  readonly auditFailed: boolean;
}

/** Adds fields to the line of the running call; later ones win. */
export type Note = (fields: AuditFields) => void;

/**
 * Runs a call and writes its one line, whatever happens. What the body throws is thrown on; a Failure whose line
 * could not be written carries `details.audit: "failed"`. Throws Failure `audit-unwritable` before the body runs.
 */
export async function auditedCall<T>(
  audit: Audit,
  options: AuditedCallOptions<T>,
  body: (note: Note) => Promise<T> | T,
): Promise<Audited<T>> {
  const { clock, actor, action, fields = {}, outcomeOf = () => "ok" } = options;
  const started = { ts: new Date(clock.now()).toISOString(), at: clock.monotonic() };
  const pending = await beginCall(audit, options);
  let noted: AuditFields = fields;

  const conclude = (outcome: Outcome): Promise<boolean> => {
    const ms = Math.round(clock.monotonic() - started.at);
    const end = { ts: started.ts, actor, action, outcome, exit_code: exitCodes[outcome], ms };
    const entry: AuditEntry = { ...noted, ...end };
    return pending ? pending.finish(entry) : audit.record(entry);
  };

  let value: T;
  try {
    value = await body((more) => {
      noted = { ...noted, ...more };
    });
  } catch (error) {
    const written = await conclude(asFailure(error)?.outcome ?? "error");
    throw written ? error : withAuditFailed(error);
  }
  return { value, auditFailed: !(await conclude(outcomeOf(value))) };
}

async function beginCall<T>(
  audit: Audit,
  { acting, actor, action, fields, evenUnaudited, diagnose }: AuditedCallOptions<T>,
): Promise<PendingAudit | undefined> {
  if (!acting) return undefined;
  try {
    return await audit.begin({ ...fields, actor, action });
  } catch (error) {
    if (!evenUnaudited) throw error;
    diagnose(`The call goes on although it could not be put on record first. ${reasonOf(error)}`);
    return undefined;
  }
}

function withAuditFailed(error: unknown): unknown {
  const failure = asFailure(error);
  if (!failure) return error;
  const { outcome, code, message, next, details } = failure;
  return new Failure(outcome, {
    code,
    message,
    next,
    details: { ...details, audit: "failed" },
    cause: error,
  });
}
