import { createHash } from "node:crypto";
import { join } from "node:path";
import type { PanePorts, Subject } from "./subject.ts";

/** Runs `body` as the only one, of all processes, that types into this pane; waits at most 10 s, then fails `busy`. */
export function withPaneLock<T>(
  ports: PanePorts,
  subject: Subject,
  signal: AbortSignal | undefined,
  body: () => Promise<T>,
): Promise<T> {
  const { session, paneId } = subject.target.pane;
  const name = createHash("sha256").update(`${session.socket}\0${paneId}`).digest("hex").slice(0, 32);
  return ports.locks.hold(
    join(ports.lockDirectory, `pane-${name}.lock`),
    { waitMs: 10_000, what: `pane ${paneId}`, ...(signal ? { signal } : {}) },
    body,
  );
}
