import { Failure, type Files, isAlive, type ProcessTable, requireAllowed } from "@agent-control/base";
import {
  isSafeSocket,
  type Multiplexer,
  type PaneSeen,
  type SessionRef,
  type Target,
} from "@agent-control/multiplexer";
import { type ClaimedLaunch, isClaimed, type Launch } from "./launch.ts";
import { type Launches, unknownLaunch } from "./launches.ts";

/** A launch that is right now what its record says: claimed, in its pane, its process running. */
export interface Verified {
  readonly launch: ClaimedLaunch;
  readonly target: Target;
}

export interface VerifyPorts {
  readonly launches: Launches;
  readonly files: Files;
  readonly processTable: ProcessTable;
  readonly multiplexer: Multiplexer;
  /** This user. */
  readonly uid: number;
}

/**
 * Looks at the machine, not at the record's word. Throws `refused` (pending, replaced, another server, another
 * process, an unsafe socket, not listed), `exited` (its process is gone) or `unavailable` (could not look).
 */
export async function verifyLaunch(ports: VerifyPorts, id: string): Promise<Verified> {
  const launch = claimedLaunch(ports, id);
  if (!isAlive(ports.processTable, launch.process)) throw await markExited(ports, launch);
  requireSafeSocket(ports, launch);
  const pane = await requireListed(ports, launch);
  if (pane.dead) throw await markExited(ports, launch);
  if (ports.multiplexer.capabilities.panePid && pane.pid !== launch.process.pid) throw otherProcess(launch);
  return { launch, target: targetOf(ports.multiplexer, launch) };
}

/** The session of a launch, by the id that survives renames. */
export function sessionOf(launch: Launch): SessionRef {
  return { socket: launch.socket, id: launch.session.id, name: launch.session.name };
}

/** What acts on a claimed launch must hit. */
export function targetOf(multiplexer: Multiplexer, launch: ClaimedLaunch): Target {
  return {
    pane: { session: sessionOf(launch), paneId: launch.paneId },
    serverPid: launch.server.pid,
    panePid: multiplexer.capabilities.panePid ? launch.process.pid : undefined,
  };
}

function claimedLaunch(ports: VerifyPorts, id: string): ClaimedLaunch {
  const launch = ports.launches.read(id);
  if (!launch) throw unknownLaunch(id);
  if (launch.state === "exited") throw hasExited(launch);
  if (launch.state === "replaced") {
    throw refusal(
      "launch-replaced",
      `Launch ${id} was replaced by ${launch.replacedBy ?? "another"} in its pane`,
      "Use the newer launch id",
    );
  }
  if (!isClaimed(launch)) {
    throw refusal(
      "launch-pending",
      `Launch ${id} is pending: its pane has not claimed it yet`,
      "Wait a few seconds and call again",
    );
  }
  return launch;
}

/** A deleted socket hides a server that may well run: then nobody could look. */
function requireSafeSocket(ports: VerifyPorts, launch: ClaimedLaunch): void {
  if (ports.files.realPath(launch.socket) === undefined) throw unreachable(launch);
  requireAllowed(isSafeSocket(ports.files, launch.socket, ports.uid));
}

/** The list tells the server's pid, so that one question to the multiplexer answers both. */
async function requireListed(ports: VerifyPorts, launch: ClaimedLaunch): Promise<PaneSeen> {
  const panes = await ports.multiplexer.panes(sessionOf(launch));
  const pane = panes?.find((seen) => seen.paneId === launch.paneId);
  await requireSameServer(ports, launch, pane?.serverPid);
  if (pane) return pane;
  throw refusal(
    "pane-not-listed",
    `Pane ${launch.paneId} of launch ${launch.id} is not in session ${launch.session.name} any more`,
    "Move it back, or start the agent again",
  );
}

async function requireSameServer(
  ports: VerifyPorts,
  launch: ClaimedLaunch,
  listed: number | undefined,
): Promise<void> {
  const pid = listed ?? (await ports.multiplexer.server(launch.socket))?.pid;
  const seen = pid === undefined ? undefined : ports.processTable.look(pid);
  if (!seen) throw unreachable(launch);
  if (pid === launch.server.pid && seen.start === launch.server.start) return;
  throw refusal(
    "other-server",
    `The ${launch.multiplexer} server on ${launch.socket} is not the one that launch ${launch.id} was started in`,
    "Start the agent again in the running session",
  );
}

/**
 * The mark saves later calls the look; a record that cannot be written now is looked at again. It is made only where
 * the launch's multiplexer server is seen running: from another pid namespace every process looks gone.
 */
async function markExited(ports: VerifyPorts, launch: ClaimedLaunch): Promise<Failure> {
  if (ports.processTable.look(launch.server.pid)?.start !== launch.server.start) return hasExited(launch);
  try {
    await ports.launches.update(launch.id, (now) => (isClaimed(now) ? { ...now, state: "exited" } : now));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return hasExited(launch);
}

function hasExited(launch: Launch): Failure {
  return new Failure("exited", {
    code: "launch-exited",
    message: `The agent of launch ${launch.id} (profile ${launch.profile}) has exited`,
    next: "Start it again with agents_spawn",
    details: { state: "exited" },
  });
}

function unreachable(launch: Launch): Failure {
  return new Failure("unavailable", {
    code: "multiplexer-unreachable",
    message: `No ${launch.multiplexer} server answers on ${launch.socket}`,
    next: "If its socket was deleted, the server makes it again on SIGUSR1; otherwise start the workspace again",
  });
}

function otherProcess(launch: Launch): Failure {
  return refusal(
    "other-process",
    `Another process runs in the pane of launch ${launch.id}`,
    "Start the agent again",
  );
}

function refusal(code: string, message: string, next: string): Failure {
  return new Failure("refused", { code, message, next });
}
