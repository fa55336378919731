import { ancestors, type Files, type Locks, type ProcessSeen, type ProcessTable } from "@agent-control/base";
import { type ClaimedLaunch, isClaimed } from "./launch.ts";
import { createLaunches, type Launches } from "./launches.ts";

export interface LaunchAbove {
  readonly launch: ClaimedLaunch;
  readonly launches: Launches;
}

/**
 * The launch whose process is an ancestor of `pid` (same pid, start time and boot), looked for in the state
 * directories that the ancestors were started with and then in `ownStateDirectory`: so a changed or dropped
 * environment variable of a client neither hides it nor leads elsewhere. `id` limits it to that launch.
 */
export function launchAbove(
  ports: { readonly files: Files; readonly locks: Locks; readonly processTable: ProcessTable },
  question: { readonly pid: number; readonly ownStateDirectory: string; readonly id?: string },
): LaunchAbove | undefined {
  const chain = ancestors(ports.processTable, question.pid);
  const fromAncestors = chain.map(
    (each) => ports.processTable.environment(each.pid)?.["TONGS_AGENTS_STATE_DIR"],
  );
  for (const directory of new Set([...fromAncestors, question.ownStateDirectory])) {
    if (directory === undefined || !directory.startsWith("/")) continue;
    const launches = createLaunches(ports, directory);
    const candidates = question.id === undefined ? launches.list() : one(launches, question.id);
    const launch = candidates.filter(isClaimed).find((each) => chain.some((seen) => isProcessOf(each, seen)));
    if (launch) return { launch, launches };
  }
  return undefined;
}

function one(launches: Launches, id: string) {
  const launch = launches.read(id);
  return launch ? [launch] : [];
}

function isProcessOf(launch: ClaimedLaunch, seen: ProcessSeen): boolean {
  const { pid, start, bootId } = launch.process;
  return seen.pid === pid && seen.start === start && seen.bootId === bootId;
}
