import { defineCommand } from "@agent-control/cli";
import { isRunning, listAgents } from "@agent-control/fleet";
import { agentTable, shownAgent } from "../agent-view.ts";
import type { CommandPorts } from "../command-ports.ts";

export const list = defineCommand({
  description:
    "Lists launches whose agent runs or is starting, newest first, with what it does by its newest event; agent-status also looks at the screen.",
  arguments: [],
  flags: [{ name: "all", short: "a", type: "boolean", summary: "Also launches that have ended" }],
  example: "tongs-agents list --all",
  run: async ({ flags: { all }, warn }, ports: CommandPorts) => {
    const unreadable: string[] = [];
    const agents = await listAgents(ports.fleet, (id, why) => unreadable.push(`${id}: ${why}`));
    for (const line of unreadable) await warn(`Unreadable launch record ${line}`);
    const shown = agents.filter((agent) => all || isRunning(agent));
    return {
      json: { launches: shown.map(shownAgent) },
      human: agentTable(shown, { nowMs: ports.machine.clock.now(), glyphs: false }),
    };
  },
});
