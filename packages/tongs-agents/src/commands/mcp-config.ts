import { defineCommand } from "@agent-control/cli";
import {
  codexServer,
  commandLine,
  opencodeEntry,
  type ServerEntry,
  tongsServer,
} from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";
import { ownProgram } from "../setup/own-program.ts";

export const mcpConfig = defineCommand({
  description:
    "Prints the MCP server's entry for a client's own configuration and writes nothing. `json` is the form that most clients take.",
  arguments: [],
  flags: [
    {
      name: "client",
      type: "choice",
      summary: "Whose form",
      choices: ["json", "claude", "codex", "opencode"],
      default: "json",
    },
  ],
  example: "tongs-agents mcp config --client codex",
  run: async ({ flags: { client }, warn }, ports: CommandPorts) => {
    const { argv: program, warning } = ownProgram(ports);
    if (warning) await warn(warning);
    const server = tongsServer({ program });
    const [command, ...args] = server.argv;
    return { json: { name: server.name, command, args }, human: forms[client](server) };
  },
});

const forms: Readonly<Record<"json" | "claude" | "codex" | "opencode", (server: ServerEntry) => string>> = {
  json: ({ name, argv: [command, ...args] }) =>
    JSON.stringify({ mcpServers: { [name]: { command, args } } }, null, 2),
  claude: ({ name, argv }) => commandLine(["claude", "mcp", "add", "--scope", "user", name, "--", ...argv]),
  codex: (server) => {
    const [edit] = codexServer("config.toml", { server, approve: false }).add("");
    return edit?.text ?? "";
  },
  opencode: (server) => JSON.stringify({ mcp: { [server.name]: opencodeEntry(server) } }, null, 2),
};
