import { defineCommand } from "@agent-control/cli";
import { prepareHost } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { offerMcpStep } from "../setup/offer-mcp-step.ts";

export const init = defineCommand({
  description:
    "Prepares Incus for isx: a storage pool, two bridges and a profile of your own. Then asks whether agents may use isx, as isx mcp setup does. Safe to run again: what is in place is left alone.",
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
    const { signal, progress } = call;
    const { incus, names, project } = await ports.instances();
    const host = await progress("Preparing Incus", (onStep) =>
      prepareHost(
        { ...ports.machine, incus },
        {
          names,
          pool,
          proxyPorts: [],
          project: project === "default" ? undefined : project,
          onStep,
          signal,
        },
      ),
    );
    const agents = await offerMcpStep(call, ports);
    return {
      json: {
        changes: host.changes,
        networks: { full: host.full, proxy_only: host.proxyOnly },
        pool: host.pool,
        agents,
      },
      human: [
        ...(host.changes.length === 0
          ? ["Everything was in place"]
          : host.changes.map((change) => `Made: ${change}`)),
        ...agents,
        "Next: isx templates list and isx build tpl-dev",
      ],
    };
  },
});
