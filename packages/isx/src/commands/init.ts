import { defineCommand } from "@agent-control/cli";
import { prepareHost } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { notesOn } from "../reminder.ts";
import { offerMcpStep } from "../setup/offer-mcp-step.ts";

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
        ...(call.stdin.isTerminal ? [] : notesOn(await ports.settings.read())),
        ...(await offerMcpStep(call, ports)),
        "Next: isx templates list, and isx build with the template that you want.",
      ],
    };
  },
});
