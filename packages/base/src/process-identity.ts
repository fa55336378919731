import type { ProcessIdentity, ProcessSeen, ProcessTable } from "./ports.ts";

/** True while exactly this process runs: same boot, same start time, not a zombie. Throws when it cannot look. */
export function isAlive(table: ProcessTable, identity: ProcessIdentity): boolean {
  if (identity.bootId !== table.bootId()) return false;
  const seen = table.look(identity.pid);
  return seen !== undefined && !seen.zombie && seen.start === identity.start;
}

/**
 * The ancestors of a process, nearest first, each looked at before and after its parent so that a pid reused
 * in between is noticed. Stops at pid 1, at a repeat, at a gone process, after 64 steps.
 */
export function ancestors(table: ProcessTable, pid: number): ProcessSeen[] {
  const found: ProcessSeen[] = [];
  const visited = new Set<number>([pid]);
  let current = table.look(pid);
  while (current && found.length < 64) {
    const parent = current.parent;
    if (parent <= 1 || visited.has(parent)) break;
    const seen = table.look(parent);
    const again = table.look(current.pid);
    if (!seen || !again || again.start !== current.start || again.parent !== parent) break;
    visited.add(parent);
    found.push(seen);
    current = seen;
  }
  return found;
}
