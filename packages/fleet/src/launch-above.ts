import {
  ancestors,
  asFailure,
  type Files,
  type Locks,
  type ProcessSeen,
  type ProcessTable,
} from "@agent-control/base";
import { type ClaimedLaunch, isClaimed, type Launch } from "./launch.ts";
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
 * The outermost launch whose process is an ancestor of `pid` (same pid, start time and boot): what an agent starts
 * below itself cannot pass for another. Its record is the one that this very process was started with, so what
 * happens to the environment further down neither hides it nor leads elsewhere; for a program started without, one
 * of `ownStateDirectory`. With `id`: undefined unless it is that launch.
 */
export function launchAbove(
  ports: LaunchAbovePorts,
  question: { readonly pid: number; readonly ownStateDirectory: string; readonly id?: string },
): LaunchAbove | undefined {
  const outermostFirst = ancestors(ports.processTable, question.pid).reverse();
  const above =
    firstOf(outermostFirst, (seen) => launchStartedAs(ports, seen)) ??
    launchAmong(createLaunches(ports, question.ownStateDirectory), outermostFirst);
  return question.id === undefined || above?.launch.id === question.id ? above : undefined;
}

/** The launch in the process's first environment. An unreadable record names nobody. */
function launchStartedAs(ports: LaunchAbovePorts, seen: ProcessSeen): LaunchAbove | undefined {
  const environment = ports.processTable.environment(seen.pid);
  const id = environment?.["TONGS_AGENTS_LAUNCH_ID"];
  const directory = environment?.["TONGS_AGENTS_STATE_DIR"];
  if (id === undefined || !directory?.startsWith("/")) return undefined;
  const launches = createLaunches(ports, directory);
  try {
    const launch = launches.read(id);
    return launch && isOf(seen, launch) ? { launch, launches } : undefined;
  } catch (error) {
    if (!asFailure(error)) throw error;
    return undefined;
  }
}

function launchAmong(launches: Launches, outermostFirst: readonly ProcessSeen[]): LaunchAbove | undefined {
  const claimed = launches.list().filter(isClaimed);
  return firstOf(outermostFirst, (seen) => {
    const launch = claimed.find((each) => isOf(seen, each));
    return launch && { launch, launches };
  });
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOf(seen: ProcessSeen, launch: Launch): launch is ClaimedLaunch {
  if (!isClaimed(launch)) return false;
  const { pid, start, bootId } = launch.process;
  return seen.pid === pid && seen.start === start && seen.bootId === bootId;
}
