import { asFailure } from "@agent-control/base";
import type { CommandPorts } from "../command-ports.ts";

/** note: worth knowing. warn: something will not work as wanted. fail: it is broken, and doctor exits with 1. */
export type Level = "ok" | "note" | "warn" | "fail";

/** One finding of doctor. */
export interface Row {
  /** What was looked at, a few words. */
  readonly check: string;
  readonly level: Level;
  /** One sentence without a full stop. */
  readonly message: string;
  /** What to do now; undefined when there is nothing to do. */
  readonly next?: string;
}

/** Looks and writes nothing. A Failure it throws becomes a row of its own. */
export interface Check {
  readonly name: string;
  look(ports: CommandPorts): Promise<readonly Row[]> | readonly Row[];
}

/** The rows of the check, whatever happens to it. */
export async function rowsOf(check: Check, ports: CommandPorts): Promise<readonly Row[]> {
  try {
    return await check.look(ports);
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || failure.outcome === "cancelled") throw error;
    return [{ check: check.name, level: "fail", message: failure.message, next: failure.next }];
  }
}
