import { Failure, requireAllowed } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { sessionOf } from "@agent-control/fleet";
import { findProfile, mayNest, type Profile, type TongsConfig } from "@agent-control/policy";
import type { CommandPorts } from "../command-ports.ts";
import { type Place, startProfile } from "../start-profile.ts";
import { openWorkspaceSession } from "../workspace-session.ts";

export const launch = defineCommand({
  description:
    "Starts a profile of config.toml in a new pane of the workspace session, which is made when it is not there. Run by an agent in a launched pane it starts the profile in that agent's session, on its behalf.",
  arguments: [{ name: "profile", summary: "A profile of config.toml" }],
  flags: [],
  example: "tongs-agents launch lead",
  run: async ({ arguments: { profile: name }, signal }, ports: CommandPorts) => {
    const spawned = await ports.audited(
      { action: "spawn", acting: true, fields: { target: null } },
      async (note) => {
        const config = await ports.config();
        const profile = knownProfile(config, name);
        const place = await placeOf(ports, config);
        return startProfile(ports, { profile, place, signal, note });
      },
    );
    const { launch: record, state, pane } = spawned;
    return {
      json: {
        ok: true,
        launch_id: record.id,
        profile: name,
        state,
        pane: pane.paneId,
        session: record.session.name,
      },
      human: `${record.id} ${state}: ${name} in pane ${pane.paneId} of session ${record.session.name}`,
    };
  },
  suggest: async (_name, ports: CommandPorts) => Object.keys((await ports.config()).profiles),
});

/** An agent's own session, under the rules for agents; or the person's workspace session. */
async function placeOf(ports: CommandPorts, config: TongsConfig): Promise<Place> {
  const { above } = ports;
  if (!above) return (await openWorkspaceSession(ports, config)).place;
  requireAllowed(mayNest(config, above));
  const { multiplexer, baseDirectory, id } = above;
  return { multiplexer, session: sessionOf(above), baseDirectory, spawnedBy: id, capOf: config };
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
