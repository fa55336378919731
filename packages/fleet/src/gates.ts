import type { Decision, Files } from "@agent-control/base";
import {
  controlEnabled,
  findProfile,
  mayNest,
  notItself,
  owns,
  type Profile,
  profileOptedIn,
  type Seat,
  type TongsConfig,
} from "@agent-control/policy";
import { proveCaller } from "./caller.ts";
import type { FleetPorts } from "./fleet-ports.ts";
import type { ClaimedLaunch, Launch } from "./launch.ts";
import { unknownLaunch } from "./launches.ts";

/** What one MCP control call knows: today's config, and the caller, proved once. */
export interface ControlContext {
  readonly ports: FleetPorts;
  /** `TONGS_AGENTS_LAUNCH_ID` of this server. */
  readonly launchId: string | undefined;
  /** Throws the refusal of an invalid file. */
  readonly config: () => TongsConfig;
  readonly caller: () => Promise<ClaimedLaunch>;
}

/** The context of one call; `config` throws the Failure of an invalid file, which every control call gets. */
export function createControlContext(
  ports: FleetPorts,
  launchId: string | undefined,
  config: () => TongsConfig,
): ControlContext {
  let proved: Promise<ClaimedLaunch> | undefined;
  return {
    ports,
    launchId,
    config,
    caller: () => {
      proved ??= proveCaller(ports, launchId).then((verified) => verified.launch);
      return proved;
    },
  };
}

export type ControlGate<Input> = (context: ControlContext, input: Input) => Promise<Decision> | Decision;

type Targeted = { readonly launch_id: string };

/** T-15, the part that every control tool shares: enabled now, caller verified, caller's profile opted in. */
export const callerGates: readonly ControlGate<unknown>[] = [
  ({ config, ports }) => controlEnabled(config(), ports.places.configFile),
  async (context) => {
    await context.caller(); // Throws the refusal that says which part of the proof failed.
    return { allow: true };
  },
  async (context) => profileOptedIn(context.config(), (await context.caller()).profile, "caller"),
];

/** T-15 for a spawn, after `callerGates`. The cap, the session and the rate are asked while spawning. */
export const spawnGates: readonly ControlGate<{ readonly profile: string }>[] = [
  async (context) => mayNest(context.config(), { spawnedBy: (await context.caller()).spawnedBy }),
  ({ config }, input) => profileOptedIn(config(), input.profile, "spawn"),
];

/** T-15 for send, status and wait, after `callerGates`. The rate and the target's verification follow in the act. */
export const targetGates: readonly ControlGate<Targeted>[] = [
  async (context, input) => {
    const { files } = context.ports;
    return notItself(seat(files, await context.caller()), seat(files, requireTarget(context, input)));
  },
  (context, input) => profileOptedIn(context.config(), requireTarget(context, input).profile, "target"),
  async (context, input) =>
    owns(context.config(), (await context.caller()).id, requireTarget(context, input).spawnedBy),
];

/** The profile, which `spawnGates` have found opted in. */
export function optedInProfile(config: TongsConfig, name: string): Profile {
  const profile = findProfile(config, name);
  if (!profile) throw new Error(`unreachable: profile ${name} passed its gate`);
  return profile;
}

/** The target's record; throws the refusal for an unknown id. */
export function requireTarget(context: ControlContext, input: Targeted): Launch {
  const launch = context.ports.launches.read(input.launch_id);
  if (!launch) throw unknownLaunch(input.launch_id);
  return launch;
}

/** A pending launch has no pane yet, which no pane id equals. A socket has one real path, whatever a record calls it. */
function seat(files: Files, { id, multiplexer, socket, paneId }: Launch): Seat {
  return { launchId: id, multiplexer, socket: files.realPath(socket) ?? socket, paneId: paneId ?? "" };
}
