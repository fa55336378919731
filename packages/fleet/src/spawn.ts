import { isAbsolute, join, resolve } from "node:path";
import { Failure, isAlive, plainText, requireAllowed, throwIfCancelled } from "@agent-control/base";
import { harnessOf } from "@agent-control/harness";
import type { Multiplexer, PaneRef, SessionRef } from "@agent-control/multiplexer";
import { type Profile, type TongsConfig, underAgentCap } from "@agent-control/policy";
import type { FleetPorts } from "./fleet-ports.ts";
import { isClaimed, type Launch, launchId } from "./launch.ts";
import { launcherArgv } from "./launcher.ts";

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

export interface Spawned {
  readonly launch: Launch;
  /** pending: the pane did not claim within 5 s. */
  readonly state: "running" | "pending";
  readonly pane: PaneRef;
  readonly notices: readonly string[];
}

/** A launch whose pane is open but may not have claimed it yet. */
export interface Opened {
  readonly launch: Launch;
  readonly pane: PaneRef;
}

const claimMs = 5_000;
const aliveMs = 300;
const pollMs = 25;

/**
 * Opens a pane that will run the profile. Throws `refused` (cap, missing directory, session not running) or what
 * `beforeOpening` throws, leaving no record.
 */
export async function openLaunch(ports: FleetPorts, request: SpawnRequest): Promise<Opened> {
  const multiplexer = await ports.multiplexer(request.multiplexer);
  const launch = await reserveLaunch(ports, request);
  try {
    await requireRunning(multiplexer, request);
    await request.beforeOpening();
  } catch (error) {
    ports.launches.remove(launch.id);
    throw error;
  }
  return { launch, pane: await openPane(ports, multiplexer, request, launch) };
}

/**
 * Waits until the opened pane has claimed its launch and lived a moment, or 5 s. Throws `exited` with the program's
 * status and last lines when it dies at once; when cancelled the pane goes on.
 */
export async function settleLaunch(
  ports: FleetPorts,
  opened: Opened,
  signal?: AbortSignal,
): Promise<Spawned> {
  const multiplexer = await ports.multiplexer(opened.launch.multiplexer);
  const outcome = await awaitClaim(ports, multiplexer, opened, signal);
  if (outcome === "died") throw await diedAtStart(ports, multiplexer, opened);
  await multiplexer.release(opened.pane);
  throwIfCancelled(signal);
  const launch = ports.launches.read(opened.launch.id) ?? opened.launch;
  return { launch, state: outcome, pane: opened.pane, notices: [] };
}

/** The pending record, written while no other spawn can count: so the cap holds over processes. */
async function reserveLaunch(ports: FleetPorts, request: SpawnRequest): Promise<Launch> {
  const launch = pendingLaunch(ports, request);
  const create = () => ports.launches.create(launch);
  const { capOf } = request;
  if (capOf === undefined) {
    create();
    return launch;
  }
  const lock = join(ports.launches.directory, "spawn.lock");
  await ports.locks.hold(lock, { waitMs: 10_000, what: "starting agents" }, () => {
    requireAllowed(underAgentCap(capOf, countAgents(ports)));
    create();
  });
  return launch;
}

/** Live and pending launches that agents started. A pending one counts for a minute at most. */
function countAgents(ports: FleetPorts): number {
  return ports.launches.list().filter((launch) => {
    if (launch.spawnedBy === undefined) return false;
    if (isClaimed(launch)) return isAlive(ports.processTable, launch.process);
    return launch.state === "pending" && ports.clock.now() - Date.parse(launch.createdAt) < 60_000;
  }).length;
}

function pendingLaunch(ports: FleetPorts, request: SpawnRequest): Launch {
  const { profile, session } = request;
  return {
    schema: 1,
    id: launchId(ports.random.bytes(16)),
    profile: profile.name,
    harness: harnessOf(profile.harness, profile.command).id,
    argv: profile.command,
    env: profile.env,
    cwd: workingDirectory(ports, request),
    baseDirectory: request.baseDirectory,
    ...ports.places,
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

async function requireRunning(multiplexer: Multiplexer, request: SpawnRequest): Promise<void> {
  const { session } = request;
  const sessions = await multiplexer.sessions(session.socket);
  if (sessions.some((each) => each.id === session.id)) return;
  throw new Failure("refused", {
    code: "session-not-running",
    message: `The ${multiplexer.name} session ${session.name} is not running`,
    next: "Ask the person to start it with tongs-agents workspace",
  });
}

async function openPane(
  ports: FleetPorts,
  multiplexer: Multiplexer,
  request: SpawnRequest,
  launch: Launch,
): Promise<PaneRef> {
  try {
    const pane = await multiplexer.open({
      session: request.session,
      argv: launcherArgv(ports.claimProgram, launch),
      name: launch.profile,
      keepWhenDead: true,
    });
    await ports.launches.update(launch.id, (now) => ({ ...now, paneId: pane.paneId }));
    return pane;
  } catch (error) {
    ports.launches.remove(launch.id);
    throw error;
  }
}

async function awaitClaim(
  ports: FleetPorts,
  multiplexer: Multiplexer,
  opened: Opened,
  signal: AbortSignal | undefined,
): Promise<"running" | "pending" | "died"> {
  const started = ports.clock.monotonic();
  let claimedAt: number | undefined;
  while (!signal?.aborted) {
    const launch = ports.launches.read(opened.launch.id) ?? opened.launch;
    const now = ports.clock.monotonic();
    if (isClaimed(launch)) {
      claimedAt ??= now;
      if (!isAlive(ports.processTable, launch.process)) return "died";
      if (now - claimedAt >= aliveMs) return "running";
    } else if (await isDead(multiplexer, opened.pane)) {
      return "died";
    }
    if (claimedAt === undefined && now - started >= claimMs) break;
    await ports.clock.sleep(pollMs);
  }
  return "pending";
}

async function isDead(multiplexer: Multiplexer, pane: PaneRef): Promise<boolean> {
  const seen = (await multiplexer.panes(pane.session))?.find((each) => each.paneId === pane.paneId);
  return seen === undefined || seen.dead;
}

async function diedAtStart(ports: FleetPorts, multiplexer: Multiplexer, opened: Opened): Promise<Failure> {
  const { pane, launch } = opened;
  const seen = (await multiplexer.panes(pane.session))?.find((each) => each.paneId === pane.paneId);
  const lines = lastLines((await multiplexer.screen(pane))?.lines ?? []);
  await multiplexer.close(pane);
  await ports.launches.update(launch.id, (now) => ({ ...now, state: "exited" }));
  const status = seen?.deadStatus === undefined ? "" : ` with status ${seen.deadStatus}`;
  const said = lines === "" ? "" : `; its last lines: ${lines}`;
  return new Failure("exited", {
    code: "died-at-start",
    message: `Profile ${launch.profile} ended${status} as soon as it started${said}`,
    next: "Ask the person to try the profile's command in that directory",
    details: { launch_id: launch.id, ...(seen?.deadStatus === undefined ? {} : { status: seen.deadStatus }) },
  });
}

function lastLines(lines: readonly string[]): string {
  const shown = lines.map((line) => plainText(line).trim()).filter((line) => line !== "");
  return shown.slice(-5).join(" / ").slice(-400);
}
