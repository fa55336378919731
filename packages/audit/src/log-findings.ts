import type { Files } from "@agent-control/base";
import type { Audit } from "./audit.ts";
import { verifyLog } from "./verify.ts";
import { renderHead } from "./written-head.ts";

/** What doctor says about a log. */
export interface LogFinding {
  readonly check: "audit log";
  readonly level: "ok" | "note" | "fail";
  readonly message: string;
  readonly next?: string;
}

export interface LogExamined {
  readonly files: Files;
  /** The log file that `audit` writes. */
  readonly path: string;
  readonly audit: Pick<Audit, "head">;
  /** The command line that verifies the log. */
  readonly verifyWith: string;
}

/** Whether every line of a log is as it was written, up to its head. Writes nothing. */
export async function logFindings({ files, path, audit, verifyWith }: LogExamined): Promise<LogFinding[]> {
  const check = "audit log" as const;
  const { ok, lines, firstBad, notes } = verifyLog({ files, path });
  if (!ok) {
    const where = firstBad ? `${firstBad.segment}, line ${firstBad.line}: ${firstBad.reason}` : path;
    const message = `The audit log is not as it was written: ${where}`;
    return [{ check, level: "fail", message, next: `Keep a copy of it, then look with ${verifyWith}` }];
  }
  const head = await audit.head();
  const message = head
    ? `${lines} lines as they were written, up to ${renderHead(head)}`
    : "nothing was logged yet";
  return [
    { check, level: "ok", message },
    ...notes.map((note) => ({ check, level: "note" as const, message: note })),
  ];
}
