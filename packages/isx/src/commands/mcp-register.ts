import { defineCommand } from "@agent-control/cli";
import { harnesses } from "@agent-control/harness";
import type { CommandPorts } from "../command-ports.ts";
import { ownServer } from "../setup/own-server.ts";
import { register, registrable } from "../setup/register.ts";

export const mcpRegister = defineCommand({
  description:
    "Registers isx mcp with one agent for all projects. An existing entry named isx is replaced, and nothing else is changed.",
  arguments: [{ name: "agent", summary: "Whose settings", choices: registrable }],
  flags: [],
  example: "isx mcp register claude",
  run: async ({ arguments: { agent }, signal, progress }, ports: CommandPorts) => {
    const server = await ownServer(ports, signal);
    const { path, changed } = await progress("registering", () => register(ports, agent, { server, signal }));
    const { title } = harnesses[agent];
    return {
      json: { ok: true, agent, path, changed, argv: server.argv },
      human: changed
        ? `${title}: isx is registered in ${path}`
        : `${title}: isx was registered already in ${path}`,
    };
  },
});
