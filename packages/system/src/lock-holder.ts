import type { ProcessIdentity } from "@agent-control/base";

/** Who holds a lock; the nonce tells two holds of one process apart. */
export interface LockHolder extends ProcessIdentity {
  readonly nonce: string;
}

const format = /^([1-9]\d{0,9}):(\d{1,20}):([\w-]{22}):([0-9a-f]{16})$/;

/**
 * The target text of a lock's symlink: `pid:start:bootId:nonce`, the boot id as base64url. It stays under 60 bytes:
 * ext4 keeps so short a target in the inode, and takes a block, and ten times as long, for a longer one.
 */
export function renderHolder({ pid, start, bootId, nonce }: LockHolder): string {
  const boot = Buffer.from(bootId.replaceAll("-", ""), "hex").toString("base64url");
  return `${pid}:${start}:${boot}:${nonce}`;
}

/** The holder that a lock's target text names; undefined when the text is not ours. */
export function parseHolder(target: string): LockHolder | undefined {
  const [, pid, start, boot, nonce] = format.exec(target) ?? [];
  if (pid === undefined || start === undefined || boot === undefined || nonce === undefined) return undefined;
  const hex = Buffer.from(boot, "base64url").toString("hex");
  const bootId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { pid: Number(pid), start, bootId, nonce };
}
