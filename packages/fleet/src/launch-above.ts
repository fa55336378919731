import {
  ancestors,
  asFailure,
  type Files,
  type Locks,
  type ProcessIdentity,
  type ProcessSeen,
  type ProcessTable,
} from "@agent-control/base";
import { type ClaimedLaunch, isClaimed } from "./launch.ts";
import { createLaunches, type Launches } from "./launches.ts";

export interface LaunchAbove {
  readonly launch: ClaimedLaunch;
  readonly launches: Launches;
}

interface LaunchAbovePorts {
  readonly files: Files;
  readonly locks: Locks;
  readonly processTable: ProcessTable;
}

/**
 * The outermost launch whose process is an ancestor of `pid` (same pid, start time and boot). Its record is looked for
 * in the state directory that this very process was started with, so what happens to the environment further down
 * neither hides it nor leads elsewhere; then in `ownStateDirectory`. `id` limits it to that launch.
 */
export function launchAbove(
  ports: LaunchAbovePorts,
  question: { readonly pid: number; readonly ownStateDirectory: string; readonly id?: string },
): LaunchAbove | undefined {
  const chain = ancestors(ports.processTable, question.pid).reverse();
  const launchOf = launchFinder(ports, question.id);
  return (
    firstOf(chain, (seen) => launchOf(seen, startedWith(ports.processTable, seen))) ??
    firstOf(chain, (seen) => launchOf(seen, question.ownStateDirectory))
  );
}

/** Finds the launch of a process in a state directory; reads each directory once. */
function launchFinder(ports: LaunchAbovePorts, id: string | undefined) {
  const read = new Map<string, readonly LaunchAbove[]>();
  return (seen: ProcessSeen, directory: string | undefined): LaunchAbove | undefined => {
    if (!directory?.startsWith("/")) return undefined;
    const found = read.get(directory) ?? claimedIn(createLaunches(ports, directory), id);
    read.set(directory, found);
    return found.find(({ launch }) => isSame(launch.process, seen));
  };
}

function claimedIn(launches: Launches, id: string | undefined): LaunchAbove[] {
  const found = id === undefined ? launches.list() : one(launches, id);
  return found.filter(isClaimed).map((launch) => ({ launch, launches }));
}

/** An unreadable record names nobody. */
function one(launches: Launches, id: string) {
  try {
    return [launches.read(id)].filter((launch) => launch !== undefined);
  } catch (error) {
    if (!asFailure(error)) throw error;
    return [];
  }
}

function startedWith(table: ProcessTable, { pid }: ProcessSeen): string | undefined {
  return table.environment(pid)?.["TONGS_AGENTS_STATE_DIR"];
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSame({ pid, start, bootId }: ProcessIdentity, seen: ProcessSeen): boolean {
  return seen.pid === pid && seen.start === start && seen.bootId === bootId;
}
