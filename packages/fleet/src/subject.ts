import { join } from "node:path";
import { isAlive } from "@agent-control/base";
import { harnesses } from "@agent-control/harness";
import type { PanePorts, Subject } from "@agent-control/panes";
import type { FleetPorts } from "./fleet-ports.ts";
import { unknownLaunch } from "./launches.ts";
import { type Verified, verifyLaunch } from "./verify.ts";

/** A verified agent, with what panes need to act on it. */
export interface VerifiedSubject {
  readonly verified: Verified;
  readonly subject: Subject;
  readonly panePorts: PanePorts;
}

/** Verifies the target launch as `verifyLaunch` does and makes it a subject for panes. */
export async function verifiedSubject(ports: FleetPorts, launchId: string): Promise<VerifiedSubject> {
  const launch = ports.launches.read(launchId);
  if (!launch) throw unknownLaunch(launchId);
  const multiplexer = await ports.multiplexer(launch.multiplexer);
  const verified = await verifyLaunch({ ...ports, multiplexer }, launchId);
  const { process } = verified.launch;
  return {
    verified,
    subject: {
      target: verified.target,
      harness: harnesses[verified.launch.harness],
      launchId,
      isAlive: () => isAlive(ports.processTable, process),
    },
    panePorts: {
      multiplexer,
      activity: ports.activity,
      clock: ports.clock,
      locks: ports.locks,
      // The launch's own, so that senders with other run-time directories queue at the same lock.
      lockDirectory: join(verified.launch.runtimeDirectory, "panes"),
    },
  };
}
