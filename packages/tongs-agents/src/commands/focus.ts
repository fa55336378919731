import { defineCommand } from "@agent-control/cli";
import { focusLaunch } from "@agent-control/fleet";
import type { CommandPorts } from "../command-ports.ts";
import { onLaunch, suggestLaunches } from "../on-launch.ts";

export const focus = defineCommand({
  description:
    "Brings the pane of a launch to the front for the terminals that show its session, after checking that the pane is that launch's. Types nothing.",
  arguments: [{ name: "id", summary: "Launch id, or the start of one" }],
  flags: [],
  example: "tongs-agents focus k3fq",
  run: async ({ arguments: { id } }, ports: CommandPorts) => {
    const launch = await onLaunch(ports, id, { action: "focus", acting: false }, (launchId) =>
      focusLaunch(ports.fleet, launchId),
    );
    return {
      json: { ok: true, launch_id: launch.id, pane: launch.paneId, session: launch.session.name },
      human: `Pane ${launch.paneId} (${launch.profile}) is at the front of session ${launch.session.name}`,
    };
  },
  suggest: suggestLaunches,
});
