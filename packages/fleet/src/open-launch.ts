import { isAbsolute, join, resolve } from "node:path";
import { Failure, isAlive, requireAllowed } from "@agent-control/base";
import { harnessOf } from "@agent-control/harness";
import type { Multiplexer, PaneRef, SessionRef } from "@agent-control/multiplexer";
import { type Profile, type TongsConfig, underAgentCap } from "@agent-control/policy";
import type { FleetPorts } from "./fleet-ports.ts";
import { isClaimed, type Launch, launchId } from "./launch.ts";
import { launcherArgv } from "./launcher.ts";
import { isStarting } from "./live-launch.ts";
import { sessionOf } from "./verify.ts";

export interface SpawnRequest {
  readonly profile: Profile;
  readonly multiplexer: "tmux" | "zellij";
  /** Must be running; a spawn never creates one. */
  readonly session: SessionRef;
  /** Absolute; what a relative `cwd` is relative to. */
  readonly baseDirectory: string;
  /** The launch that asks; undefined for a person. */
  readonly spawnedBy: string | undefined;
  /** Its cap on live and pending agents started by agents holds; undefined for a person. */
  readonly capOf: TongsConfig | undefined;
  /** Asked once the session is known to run, before anything is opened: the rate limit. Its failure stops the spawn. */
  readonly beforeOpening: () => Promise<void>;
}

/** A launch whose pane is open but may not have claimed it yet. */
export interface Opened {
  readonly launch: Launch;
  readonly pane: PaneRef;
}

/**
 * Opens a pane that will run the profile. Throws `refused` (cap, missing directory, session not running) or what
 * `beforeOpening` throws, leaving neither record nor pane.
 */
export async function openLaunch(ports: FleetPorts, request: SpawnRequest): Promise<Opened> {
  const multiplexer = await ports.multiplexer(request.multiplexer);
  const launch = await reserveLaunch(ports, request);
  try {
    await requireRunning(multiplexer, request);
    await request.beforeOpening();
    return await openPane(ports, multiplexer, launch);
  } catch (error) {
    ports.launches.remove(launch.id);
    throw error;
  }
}

/** The pending record, written while no other spawn can count: so the cap holds over processes. */
async function reserveLaunch(ports: FleetPorts, request: SpawnRequest): Promise<Launch> {
  const launch = pendingLaunch(ports, request);
  const { capOf } = request;
  if (capOf === undefined) {
    ports.launches.create(launch);
    return launch;
  }
  const lock = join(ports.launches.directory, "spawn.lock");
  return ports.locks.hold(lock, { waitMs: 10_000, what: "starting agents" }, () => {
    requireAllowed(underAgentCap(capOf, countAgents(ports)));
    ports.launches.create(launch);
    return launch;
  });
}

/** Live and pending launches that agents started. */
function countAgents(ports: FleetPorts): number {
  return ports.launches.list().filter((launch) => {
    if (launch.spawnedBy === undefined) return false;
    if (isClaimed(launch)) return isAlive(ports.processTable, launch.process);
    return isStarting(ports.clock, launch);
  }).length;
}

function pendingLaunch(ports: FleetPorts, request: SpawnRequest): Launch {
  const { profile, session } = request;
  const { configFile, stateDirectory, runtimeDirectory } = ports.places;
  return {
    schema: 1,
    id: launchId(ports.random.bytes(16)),
    profile: profile.name,
    harness: harnessOf(profile.harness, profile.command).id,
    argv: profile.command,
    env: profile.env,
    cwd: workingDirectory(ports, request),
    baseDirectory: request.baseDirectory,
    configFile,
    stateDirectory,
    runtimeDirectory,
    multiplexer: request.multiplexer,
    session: { id: session.id, name: session.name },
    socket: session.socket,
    paneId: undefined,
    server: undefined,
    process: undefined,
    spawnedBy: request.spawnedBy,
    createdAt: new Date(ports.clock.now()).toISOString(),
    claimedAt: undefined,
    replacedBy: undefined,
    state: "pending",
  };
}

/** As the person wrote it, a symlink not resolved: `$PWD` is then what they would see there themselves. */
function workingDirectory(ports: FleetPorts, request: SpawnRequest): string {
  const { cwd, name } = request.profile;
  const expanded = cwd === "~" || cwd.startsWith("~/") ? join(ports.home, cwd.slice(1)) : cwd;
  const path = isAbsolute(expanded) ? expanded : resolve(request.baseDirectory, expanded);
  const real = ports.files.realPath(path);
  if (real !== undefined && ports.files.look(real)?.kind === "directory") return path;
  throw new Failure("refused", {
    code: "directory-missing",
    message: `The directory ${path} of profile ${name} does not exist`,
    next: "Ask the person to make it or to change the profile's cwd",
  });
}

async function requireRunning(multiplexer: Multiplexer, { session }: SpawnRequest): Promise<void> {
  const sessions = await multiplexer.sessions(session.socket);
  if (sessions.some((each) => each.id === session.id)) return;
  throw new Failure("refused", {
    code: "session-not-running",
    message: `The ${multiplexer.name} session ${session.name} is not running`,
    next: "Ask the person to start it with tongs-agents workspace",
  });
}

async function openPane(ports: FleetPorts, multiplexer: Multiplexer, launch: Launch): Promise<Opened> {
  const pane = await multiplexer.open({
    session: sessionOf(launch),
    argv: launcherArgv(ports.claimProgram, launch),
    name: launch.profile,
    keepWhenDead: true,
  });
  try {
    const opened = await ports.launches.update(launch.id, (now) => ({ ...now, paneId: pane.paneId }));
    return { launch: opened, pane };
  } catch (error) {
    // Nobody could claim or drive it, and it would stay open.
    await multiplexer.close(pane).catch(() => undefined);
    throw error;
  }
}
