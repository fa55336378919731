import type { ProcessIdentity } from "@agent-control/base";

/** Who holds a lock; the nonce tells two holds of one process apart. */
export interface LockHolder extends ProcessIdentity {
  readonly nonce: string;
}

const format = /^([1-9]\d{0,9}):(\d{1,20}):([0-9a-f-]{36}):([0-9a-f]{16})$/;

/** The target text of a lock's symlink: `pid:start:bootId:nonce`. */
export function renderHolder({ pid, start, bootId, nonce }: LockHolder): string {
  return `${pid}:${start}:${bootId}:${nonce}`;
}

/** The holder that a lock's target text names; undefined when the text is not ours. */
export function parseHolder(target: string): LockHolder | undefined {
  const [, pid, start, bootId, nonce] = format.exec(target) ?? [];
  if (pid === undefined || start === undefined || bootId === undefined || nonce === undefined)
    return undefined;
  return { pid: Number(pid), start, bootId, nonce };
}
