import { Failure } from "@agent-control/base";
import type { FleetPorts } from "./fleet-ports.ts";
import type { ClaimedLaunch } from "./launch.ts";
import { unknownLaunch } from "./launches.ts";
import { verifyLaunch } from "./verify.ts";

/** Verifies the launch and brings its pane to the front for the terminals that show its session. */
export async function focusLaunch(ports: FleetPorts, launchId: string): Promise<ClaimedLaunch> {
  const found = ports.launches.read(launchId);
  if (!found) throw unknownLaunch(launchId);
  const multiplexer = await ports.multiplexer(found.multiplexer);
  const { launch, target } = await verifyLaunch({ ...ports, multiplexer }, launchId);
  if (await multiplexer.focus(target.pane)) return launch;
  throw new Failure("exited", {
    code: "pane-gone",
    message: `The pane of launch ${launchId} was closed just now`,
    next: "Start the agent again",
  });
}
