import { Failure, requireAllowed } from "@agent-control/base";
import { launchVariablePresent } from "@agent-control/policy";
import type { FleetPorts } from "./fleet-ports.ts";
import { isLaunchId, type Launch } from "./launch.ts";
import { launchAbove } from "./launch-above.ts";
import { refuseSharedDaemon } from "./shared-daemon.ts";
import { type Verified, verifyLaunch } from "./verify.ts";

/**
 * Proves who calls: the launch named in the server's environment must verify and this process must run under that
 * launch's process, and not below a daemon that others share. Throws `refused` saying which of them failed,
 * `unavailable` when it could not look.
 */
export async function proveCaller(ports: FleetPorts, launchId: string | undefined): Promise<Verified> {
  refuseSharedDaemon(ports.processTable);
  requireAllowed(launchVariablePresent(launchId));
  if (launchId === undefined) throw new Error("unreachable: the rule refused");
  if (!isLaunchId(launchId)) {
    throw refusal(
      "caller-malformed",
      "TONGS_AGENTS_LAUNCH_ID is not a launch id",
      "Start the agent with tongs-agents",
    );
  }
  const verified = await verifyCaller(ports, launchId);
  const above = launchAbove(ports, {
    pid: ports.processTable.self().pid,
    ownStateDirectory: ports.places.stateDirectory,
  });
  if (above?.launch.id !== launchId || above.launches.directory !== ports.launches.directory) {
    throw notBelow(verified.launch);
  }
  return verified;
}

async function verifyCaller(ports: FleetPorts, launchId: string): Promise<Verified> {
  const launch = ports.launches.read(launchId);
  if (!launch) {
    throw refusal(
      "caller-record-missing",
      `The calling launch ${launchId} has no record here`,
      "Start the agent with tongs-agents",
    );
  }
  try {
    return await verifyLaunch(
      { ...ports, multiplexer: await ports.multiplexer(launch.multiplexer) },
      launchId,
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.outcome !== "exited") throw error;
    throw refusal(
      "caller-exited",
      `The calling launch ${launchId} has exited`,
      "Start the agent with tongs-agents",
    );
  }
}

function notBelow({ id, harness }: Launch): Failure {
  return refusal(
    "caller-not-below",
    `This server does not run under the process of launch ${id}`,
    harness === "codex"
      ? "Start Codex with --no-daemon, whose managed daemon otherwise runs its MCP servers"
      : "Start the server from the agent's own MCP configuration",
  );
}

function refusal(code: string, message: string, next: string): Failure {
  return new Failure("refused", { code, message, next });
}
