import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { mcpStep } from "../setup/mcp-step.ts";

export const mcpSetup = defineCommand({
  description:
    "Asks whether agents on this host may use isx, and which templates, and registers the server with Claude Code when that is installed. Run again, it asks one question first. Needs a terminal: only a person can approve a template.",
  arguments: [],
  flags: [],
  example: "isx mcp setup",
  run: async (call, ports: CommandPorts) => {
    if (!call.stdin.isTerminal || !call.terminal.stderrIsTerminal) throw terminalNeeded();
    const { lines, ...facts } = await mcpStep(call, ports);
    return { json: { ok: true, ...facts }, human: lines };
  },
});

function terminalNeeded(): Failure {
  return new Failure("refused", {
    code: "terminal-needed",
    message: "isx mcp setup asks a person, so it needs a terminal; nothing was changed",
    next: "Run isx mcp setup yourself in a terminal; an agent cannot do it for you",
  });
}
