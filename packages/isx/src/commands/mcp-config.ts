import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { ownServer } from "../setup/own-server.ts";

export const mcpConfig = defineCommand({
  description:
    "Prints the entry for the settings of any agent that speaks MCP over stdio, and writes nothing. If the settings already hold servers, add isx beside them.",
  arguments: [],
  flags: [],
  example: "isx mcp config",
  run: async ({ signal }, ports: CommandPorts) => {
    const { name, argv, env } = await ownServer(ports, signal);
    const [command, ...args] = argv;
    const entry = { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
    const settings = { mcpServers: { [name]: entry } };
    return { json: settings, human: JSON.stringify(settings, null, 2) };
  },
});
