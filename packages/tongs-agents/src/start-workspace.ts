import { join } from "node:path";
import { asFailure, Failure, renderFailure } from "@agent-control/base";
import { isLive, type Launch, type Spawned } from "@agent-control/fleet";
import { findProfile, type Profile, type TongsConfig } from "@agent-control/policy";
import type { CommandPorts } from "./command-ports.ts";
import { startProfile } from "./start-profile.ts";
import { openWorkspaceSession, type WorkspaceSession } from "./workspace-session.ts";

/** Starting takes a second or two for each profile. */
const lockWaitMs = 120_000;

export interface Workspace extends WorkspaceSession {
  /** In the order of `panes`. */
  readonly panes: readonly WorkspacePane[];
}

export interface WorkspacePane {
  readonly profile: string;
  readonly launchId: string;
  /** running: it was there before. */
  readonly state: "started" | "pending" | "running";
}

interface Steps {
  readonly signal: AbortSignal;
  readonly say: (step: string) => void;
  readonly warn: (sentence: string) => Promise<void>;
}

/**
 * Joins or makes the workspace session and starts every profile of `panes` that a person has not running there yet.
 * One call at a time. When profiles fail the others start all the same, and the first failure is thrown at the end.
 */
export async function startWorkspace(ports: CommandPorts, steps: Steps): Promise<Workspace> {
  const config = await ports.config();
  const profiles = paneProfiles(config, ports.places.configFile);
  const lock = join(ports.fleet.launches.directory, "workspace.lock");
  const options = { waitMs: lockWaitMs, what: "starting the workspace", signal: steps.signal };
  return ports.machine.locks.hold(lock, options, async () => {
    const workspace = await openWorkspaceSession(ports, config);
    return { ...workspace, panes: await startMissing(ports, workspace, profiles, steps) };
  });
}

function paneProfiles(config: TongsConfig, configFile: string): Profile[] {
  return [...new Set(config.workspace.panes)].map((name) => {
    const profile = findProfile(config, name);
    if (profile) return profile;
    // A file that names its panes was checked; only the default can name a profile that is not there.
    throw new Failure("refused", {
      code: "profile-unknown",
      message: `The workspace starts the profile ${name} unless panes under [workspace] says otherwise, and ${configFile} has no such profile`,
      next: `Add [profiles.${name}] with a command to it, or set panes`,
    });
  });
}

async function startMissing(
  ports: CommandPorts,
  workspace: WorkspaceSession,
  profiles: readonly Profile[],
  steps: Steps,
): Promise<WorkspacePane[]> {
  const launches = personsLaunches(ports, workspace);
  const panes: WorkspacePane[] = [];
  const failures: Failure[] = [];
  for (const profile of profiles) {
    try {
      const there = await firstLive(ports, launches, profile);
      panes.push(there ?? (await startPane(ports, workspace, profile, steps)));
    } catch (error) {
      const failure = asFailure(error);
      if (failure === undefined || failure.outcome === "cancelled") throw error;
      failures.push(failure);
    }
  }
  const [first, ...others] = failures;
  for (const failure of others) await steps.warn(renderFailure(failure));
  if (first) throw first;
  return panes;
}

function personsLaunches(ports: CommandPorts, { multiplexer, session }: WorkspaceSession): Launch[] {
  return ports.fleet.launches
    .list()
    .filter(
      (launch) =>
        launch.spawnedBy === undefined &&
        launch.multiplexer === multiplexer.name &&
        launch.socket === session.socket &&
        launch.session.id === session.id,
    );
}

async function firstLive(
  ports: CommandPorts,
  launches: readonly Launch[],
  { name }: Profile,
): Promise<WorkspacePane | undefined> {
  for (const launch of launches) {
    if (launch.profile === name && (await isLive(ports.fleet, launch))) {
      return { profile: name, launchId: launch.id, state: "running" };
    }
  }
  return undefined;
}

async function startPane(
  ports: CommandPorts,
  workspace: WorkspaceSession,
  profile: Profile,
  { signal, say }: Steps,
): Promise<WorkspacePane> {
  say(`starting ${profile.name}`);
  const { place } = workspace;
  const { launch, state }: Spawned = await ports.audited(
    { action: "spawn", acting: true, fields: { target: null } },
    (note) => startProfile(ports, { profile, place, signal, note }),
  );
  return { profile: profile.name, launchId: launch.id, state: state === "running" ? "started" : "pending" };
}
