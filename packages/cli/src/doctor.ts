import { asFailure } from "@agent-control/base";
import type { Answer } from "./command.ts";

/** note: worth knowing. warn: something will not work as wanted. fail: it is broken, and doctor exits with 1. */
export type Level = "ok" | "note" | "warn" | "fail";

/** One finding of doctor. */
export interface Finding {
  /** What was looked at, a few words. */
  readonly check: string;
  readonly level: Level;
  /** One sentence without a full stop. */
  readonly message: string;
  /** What to do now; undefined when there is nothing to do. */
  readonly next?: string;
}

/** Looks and writes nothing. A Failure it throws becomes a finding of its own. */
export interface Check<Ports> {
  readonly name: string;
  look(ports: Ports): Promise<readonly Finding[]> | readonly Finding[];
}

/** The findings of the check, whatever happens to it. */
export async function findingsOf<Ports>(check: Check<Ports>, ports: Ports): Promise<readonly Finding[]> {
  try {
    return await check.look(ports);
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || failure.outcome === "cancelled") throw error;
    return [{ check: check.name, level: "fail", message: failure.message, next: failure.next }];
  }
}

/** What doctor answers: every finding in order of the checks; exit code 1 when something is broken. */
export async function doctorAnswer<Ports>(checks: readonly Check<Ports>[], ports: Ports): Promise<Answer> {
  const rows = (await Promise.all(checks.map((check) => findingsOf(check, ports)))).flat();
  const failed = rows.some(({ level }) => level === "fail");
  return { json: { ok: !failed, rows }, human: rows.flatMap(lines), exitCode: failed ? 1 : 0 };
}

function lines({ check, level, message, next }: Finding): string[] {
  const line = `${level.padEnd(4)}  ${check}: ${message}`;
  return next === undefined ? [line] : [line, `      ${next}`];
}
