import type { AuditFields } from "@agent-control/audit";
import type { CommandPorts } from "./command-ports.ts";

/** A driving verb on one launch. */
export interface LaunchAct {
  readonly action: string;
  /** It types or otherwise acts, so that a log that cannot be written stops it. */
  readonly acting: boolean;
  /** Known before it runs. */
  readonly fields?: AuditFields;
}

/**
 * Runs a driving verb on the launch that the text names, its id or a unique start of it, and writes its one audit
 * line, also when the text names none or several.
 */
export function onLaunch<T>(
  ports: CommandPorts,
  text: string,
  { action, acting, fields = {} }: LaunchAct,
  body: (launchId: string, note: (fields: AuditFields) => void) => Promise<T>,
): Promise<T> {
  const tried = { ...fields, target: text.slice(0, 64) };
  return ports.audited({ action, acting, fields: tried }, async (note) => {
    const launchId = ports.fleet.launches.resolve(text);
    note({ target: launchId });
    return body(launchId, note);
  });
}

/** Completes a launch id. */
export async function suggestLaunches(_name: string, ports: CommandPorts): Promise<readonly string[]> {
  const launches = ports.fleet.launches.list();
  return launches.filter(({ state }) => state === "claimed").map(({ id }) => id);
}
