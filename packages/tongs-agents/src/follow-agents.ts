import { asFailure, Failure, isAlive, type Watch } from "@agent-control/base";
import { type Agent, isClaimed, isRunning, listAgents } from "@agent-control/fleet";
import type { CommandPorts } from "./command-ports.ts";

/** An ended process, and the time that a state lasts, are looked at so often, milliseconds. */
const tickMs = 1_000;
/** Changes of one burst are read together, milliseconds. */
const burstMs = 100;

/**
 * Hands every agent to `show`: at once, after each change of the records, and once a second. Returns when the signal
 * fires or `show` says that nobody looks any more.
 */
export async function followAgents(
  ports: CommandPorts,
  signal: AbortSignal,
  show: (agents: readonly Agent[]) => Promise<boolean>,
): Promise<void> {
  const records = watchRecords(ports);
  const { clock } = ports.machine;
  try {
    // Taken before the records are read, so that no change falls in between.
    let change = records.nextChange();
    let agents = await listAgents(ports.fleet);
    while (await show(agents)) {
      await clock.sleep(tickMs, AbortSignal.any([signal, change])).catch(unlessCancelled);
      if (change.aborted) await clock.sleep(burstMs, signal).catch(unlessCancelled);
      if (signal.aborted) return;
      if (change.aborted || !records.areWatched || hasEnded(ports, agents)) {
        change = records.nextChange();
        agents = await listAgents(ports.fleet);
      }
    }
  } finally {
    records.stop();
  }
}

function unlessCancelled(error: unknown): void {
  if (asFailure(error)?.outcome !== "cancelled") throw error;
}

function watchRecords({ machine, fleet }: CommandPorts) {
  let change = new AbortController();
  const tell = () => change.abort();
  const stops = [
    watchIfPossible(() => fleet.activity.onChange(tell)),
    watchIfPossible(() => watchLaunches(machine.watch, fleet, tell)),
  ];
  return {
    /** Without a watch (the kernel's limit is reached, say) every tick reads the records. */
    areWatched: stops.every((stop) => stop !== undefined),
    /** Fires at the first change from now on. */
    nextChange(): AbortSignal {
      change = new AbortController();
      return change.signal;
    },
    stop: () => {
      for (const stop of stops) stop?.();
    },
  };
}

function watchLaunches(watch: Watch, { files, launches }: CommandPorts["fleet"], tell: () => void) {
  files.makeDirectory(launches.directory);
  return watch.directory(launches.directory, tell);
}

function watchIfPossible(start: () => () => void): (() => void) | undefined {
  try {
    return start();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** A process ends without a record being written. */
function hasEnded({ machine }: CommandPorts, agents: readonly Agent[]): boolean {
  return agents.some(
    (agent) =>
      isRunning(agent) && isClaimed(agent.launch) && !isAlive(machine.processTable, agent.launch.process),
  );
}
