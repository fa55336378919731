import { defineCommand } from "@agent-control/cli";
import { codexServer, opencodeEntry, serverArgv, serverName } from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";
import { commandLine } from "../setup/command-line.ts";
import { stableProgram } from "../setup/stable-program.ts";

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
    const { argv: program, warning } = stableProgram(ports.machine.files, ports.facts.program);
    if (warning) await warn(warning);
    const [command, ...args] = serverArgv({ program });
    return { json: { name: serverName, command, args }, human: forms[client](program) };
  },
});

const forms: Readonly<
  Record<"json" | "claude" | "codex" | "opencode", (program: readonly string[]) => string>
> = {
  json: (program) => {
    const [command, ...args] = serverArgv({ program });
    return JSON.stringify({ mcpServers: { [serverName]: { command, args } } }, null, 2);
  },
  claude: (program) =>
    commandLine(["claude", "mcp", "add", "--scope", "user", serverName, "--", ...serverArgv({ program })]),
  codex: (program) => {
    const [edit] = codexServer("config.toml", { program, approve: false }).add("");
    return edit?.text ?? "";
  },
  opencode: (program) =>
    JSON.stringify({ mcp: { [serverName]: opencodeEntry(serverArgv({ program })) } }, null, 2),
};
