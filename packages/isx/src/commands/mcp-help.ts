import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

/** The plain verb is served by bin.ts before this is loaded; this is its help and its refusal of extra words. */
export const mcpHelp = defineCommand({
  description:
    "Serves the MCP tools on standard input and output until the client is gone. Meant to be started by an agent CLI.",
  arguments: [],
  flags: [],
  example: "isx mcp",
  ownsStdout: true,
  run: async (_invocation, _ports: CommandPorts) => {
    throw new Failure("usage", { code: "mcp-words", message: "mcp takes no words", next: "Run isx mcp" });
  },
});
