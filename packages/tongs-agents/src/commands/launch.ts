import { Failure, requireAllowed } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { openLaunch, sessionOf, settleLaunch } from "@agent-control/fleet";
import { findSession, type Multiplexer, type SessionRef, tmuxSocket } from "@agent-control/multiplexer";
import { findProfile, mayNest, type Profile, type TongsConfig } from "@agent-control/policy";
import type { CommandPorts } from "../command-ports.ts";

/** The first pane of a session that this program makes: the person's own shell. */
const homePane = ["/bin/sh", "-c", 'test -x "$SHELL" && exec "$SHELL"; exec /bin/sh'];

export const launch = defineCommand({
  description:
    "Starts a profile of config.toml in a new pane of the workspace session, which is made when it is not there. Run by an agent in a launched pane it starts the profile in that agent's session, on its behalf.",
  arguments: [{ name: "profile", summary: "A profile of config.toml" }],
  flags: [],
  example: "tongs-agents launch lead",
  run: async ({ arguments: { profile }, signal }, ports: CommandPorts) => {
    const spawned = await ports.audited(
      { action: "spawn", acting: true, fields: { target: null } },
      async (note) => {
        const config = await ports.config();
        const place = await placeOf(ports, config);
        const opened = await openLaunch(ports.fleet, {
          ...place,
          profile: knownProfile(config, profile),
          beforeOpening: async () => {},
        });
        note({ target: opened.launch.id });
        return settleLaunch(ports.fleet, opened, signal);
      },
    );
    const { launch: record, state, pane } = spawned;
    return {
      json: {
        ok: true,
        launch_id: record.id,
        profile,
        state,
        pane: pane.paneId,
        session: record.session.name,
      },
      human: `${record.id} ${state}: ${profile} in pane ${pane.paneId} of session ${record.session.name}`,
    };
  },
});

interface Place {
  readonly multiplexer: "tmux" | "zellij";
  readonly session: SessionRef;
  readonly baseDirectory: string;
  readonly spawnedBy: string | undefined;
  readonly capOf: TongsConfig | undefined;
}

/** An agent's own session, under the rules for agents; or the person's workspace session. */
async function placeOf(ports: CommandPorts, config: TongsConfig): Promise<Place> {
  const { above } = ports;
  if (above) {
    requireAllowed(mayNest(config, above));
    const { multiplexer, baseDirectory, id } = above;
    return { multiplexer, session: sessionOf(above), baseDirectory, spawnedBy: id, capOf: config };
  }
  const name = config.workspace.multiplexer === "zellij" ? "zellij" : "tmux";
  const multiplexer = await ports.fleet.multiplexer(name);
  return {
    multiplexer: name,
    session: await workspaceSession(ports, multiplexer, config),
    baseDirectory: process.cwd(),
    spawnedBy: undefined,
    capOf: undefined,
  };
}

async function workspaceSession(
  ports: CommandPorts,
  multiplexer: Multiplexer,
  config: TongsConfig,
): Promise<SessionRef> {
  const { env, uid } = ports.facts;
  const socket = tmuxSocket({ socket: config.workspace.socket, env, uid });
  const name = config.workspace.session;
  const found = findSession(await multiplexer.sessions(socket), name, multiplexer.capabilities);
  if (found) return found;
  return (await multiplexer.createSession({ socket, name, argv: homePane })).session;
}

function knownProfile(config: TongsConfig, name: string): Profile {
  const profile = findProfile(config, name);
  if (profile) return profile;
  const names = Object.keys(config.profiles);
  throw new Failure("usage", {
    code: "profile-unknown",
    message: `There is no profile ${JSON.stringify(name)}`,
    next: names.length === 0 ? "Add one to config.toml" : `The profiles are ${names.join(", ")}`,
  });
}
