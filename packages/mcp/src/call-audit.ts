import type { Audit, AuditEntry, AuditFields, PendingAudit } from "@agent-control/audit";
import { asFailure, type Outcome, renderFailure } from "@agent-control/base";
import type { AuditMark } from "./reply.ts";
import type { AnyTool } from "./tool.ts";

/** One ended call, from which a program makes its audit line. */
export interface EndedCall {
  /** ISO 8601, UTC: when the call arrived. */
  readonly ts: string;
  readonly tool: string;
  readonly action: string;
  /** What the program, gates and handler noted. */
  readonly fields: AuditFields;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Whole milliseconds since the call arrived. */
  readonly ms: number;
}

export interface AuditOptions {
  readonly log: Audit;
  entry(call: EndedCall): AuditEntry;
}

/** The usual audit line of a call: what was noted, then how it ended. */
export function auditEntryBy(actor: string): AuditOptions["entry"] {
  return ({ ts, action, fields, outcome, exitCode, ms }) => ({
    ts,
    actor,
    action,
    ...fields,
    outcome,
    exit_code: exitCode,
    ms,
  });
}

/** The audit of one call. */
export interface CallAudit {
  /** Reserves the line of an acting call; throws when it cannot, unless the tool stops something. */
  begin(soFar: EndedCall): Promise<void>;
  /** Writes the one line; the mark says that an acting call's line could not be written. */
  end(ended: EndedCall): Promise<AuditMark>;
}

export function openCallAudit<Context>(
  tool: AnyTool<Context>,
  options: AuditOptions | undefined,
  diagnose: (line: string) => void,
): CallAudit {
  if (options === undefined || tool.action === "") return unaudited;
  let pending: PendingAudit | undefined;
  return {
    async begin(soFar) {
      try {
        pending = await options.log.begin(options.entry(soFar));
      } catch (error) {
        const failure = asFailure(error);
        if (failure === undefined || !tool.stops) throw error;
        diagnose(`${tool.name} goes on without an audit record: ${renderFailure(failure)}`);
      }
    },
    async end(ended) {
      const entry = options.entry(ended);
      const written = await (pending === undefined ? options.log.record(entry) : pending.finish(entry));
      return written || !tool.acting ? undefined : { audit: "failed" };
    },
  };
}

const unaudited: CallAudit = {
  async begin() {},
  async end() {
    return undefined;
  },
};
