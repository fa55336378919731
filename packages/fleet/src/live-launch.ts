import { type Clock, Failure } from "@agent-control/base";
import type { FleetPorts } from "./fleet-ports.ts";
import { isClaimed, type Launch } from "./launch.ts";
import { verifyLaunch } from "./verify.ts";

/** A spawner that died before it opened the pane leaves a pending record; it counts so long, milliseconds. */
const pendingCountsMs = 60_000;

/** Whether the launch is pending and its pane may still claim it. */
export function isStarting(clock: Pick<Clock, "now">, launch: Launch): boolean {
  return launch.state === "pending" && clock.now() - Date.parse(launch.createdAt) < pendingCountsMs;
}

/** Whether the launch verifies or is still starting. Throws `unavailable` when it could not look. */
export async function isLive(ports: FleetPorts, launch: Launch): Promise<boolean> {
  if (!isClaimed(launch)) return isStarting(ports.clock, launch);
  try {
    await verifyLaunch({ ...ports, multiplexer: await ports.multiplexer(launch.multiplexer) }, launch.id);
    return true;
  } catch (error) {
    if (error instanceof Failure && (error.outcome === "exited" || error.outcome === "refused")) return false;
    throw error;
  }
}
