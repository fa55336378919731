import { defineCommand } from "@agent-control/cli";
import { launchState } from "@agent-control/fleet";
import type { CommandPorts } from "../command-ports.ts";
import { onLaunch, suggestLaunches } from "../on-launch.ts";
import { shownState } from "../shown-state.ts";

export const agentStatus = defineCommand({
  description: "Shows what the agent of a launch does now, from its hooks and its screen.",
  arguments: [{ name: "id", summary: "Launch id, or the start of one" }],
  flags: [],
  example: "tongs-agents agent-status k3fq",
  run: async ({ arguments: { id } }, ports: CommandPorts) => {
    const { launchId, reading } = await onLaunch(
      ports,
      id,
      { action: "status", acting: false },
      async (launchId) => ({ launchId, reading: await launchState(ports.fleet, launchId) }),
    );
    const shown = shownState(reading);
    return {
      json: { ok: true, launch_id: launchId, ...shown },
      human: `${launchId} ${shown.state}${shown.detail === undefined ? "" : ` (${shown.detail})`}`,
    };
  },
  suggest: suggestLaunches,
});
