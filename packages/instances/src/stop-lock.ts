import { join } from "node:path";
import type { HoldingPorts } from "./holding-ports.ts";

/**
 * Keeps a dormant stop and an adoption of one instance apart: Incus would stop it whoever holds it by then. A
 * `stopping` stamp that is seen under this lock was left by a process that died.
 */
export function withStopLock<T>(
  ports: Pick<HoldingPorts, "locks" | "directory">,
  name: string,
  signal: AbortSignal | undefined,
  body: () => Promise<T>,
): Promise<T> {
  const options = { waitMs: 30_000, what: `instance ${name}`, ...(signal ? { signal } : {}) };
  return ports.locks.hold(join(ports.directory, "stops", `${name}.lock`), options, body);
}
