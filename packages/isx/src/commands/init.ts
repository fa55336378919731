import { defineCommand, type Interaction } from "@agent-control/cli";
import { prepareHost } from "@agent-control/instances";
import { settingsNotes } from "../approval.ts";
import type { CommandPorts } from "../command-ports.ts";
import { mcpStep } from "../setup/mcp-step.ts";

export const init = defineCommand({
  description: [
    "Prepares Incus for isx: a storage pool, two bridges and a profile of your own. Safe to run again: what is in place is left alone.",
    "On a terminal it then asks whether agents may use isx, as isx mcp setup does.",
  ].join("\n\n"),
  arguments: [],
  flags: [
    {
      name: "pool",
      type: "string",
      value: "NAME",
      default: "default",
      summary: "Storage pool to use, made when missing",
    },
  ],
  example: "isx init",
  run: async ({ flags: { pool }, ...call }, ports: CommandPorts) => {
    const { incus, names, project } = await ports.instances();
    const { signal } = call;
    const host = await call.progress("Preparing Incus", (onStep) =>
      prepareHost(
        { ...ports.machine, incus },
        { names, pool, proxyPorts: [], project: project === "default" ? undefined : project, onStep, signal },
      ),
    );
    const made = host.changes.map((change) => `Made: ${change}`);
    return {
      json: {
        changes: host.changes,
        networks: { full: host.full, proxy_only: host.proxyOnly },
        pool: host.pool,
      },
      human: [
        ...(made.length === 0 ? ["Everything is in place at Incus."] : made),
        ...(await offerMcp(call, ports)),
        "Next: isx templates list, and isx build with the template that you want.",
      ],
    };
  },
});

async function offerMcp(call: Interaction, ports: CommandPorts): Promise<readonly string[]> {
  const { settings, config } = await ports.settings.read();
  if (config().hasMcpSection && ports.machine.files.look(ports.places.mcpFile) === undefined) {
    return [
      `Agents were not asked about: move the mcp: section of ${ports.places.configFile} into mcp.yaml first.`,
    ];
  }
  if (call.stdin.isTerminal && call.terminal.stderrIsTerminal) return (await mcpStep(call, ports)).lines;
  return [
    ...settingsNotes(settings(), config()),
    "Whether agents may use isx was not asked: that needs a terminal. Run isx mcp setup in one.",
  ];
}
