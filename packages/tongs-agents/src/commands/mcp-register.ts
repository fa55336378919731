import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { chosenAgents, setupFlags } from "../setup/flags.ts";
import { ownProgram } from "../setup/own-program.ts";
import { setUpAgents } from "../setup/set-up-agents.ts";
import { setupAnswer } from "../setup/setup-answer.ts";

export const mcpRegister = defineCommand({
  description:
    "Registers the MCP server with each agent CLI on PATH, without the hooks that report the status; install does both. `uninstall` takes it back.",
  arguments: [],
  flags: [
    ...setupFlags,
    { name: "approve", type: "boolean", summary: "Codex runs the tools without asking" },
  ],
  example: "tongs-agents mcp register --agent claude",
  run: async ({ flags, signal, warn, progress }, ports: CommandPorts) => {
    const { argv: program, warning } = ownProgram(ports);
    if (warning) await warn(warning);
    const dryRun = flags["dry-run"];
    const setups = await progress("registering", () =>
      setUpAgents(ports, {
        agents: chosenAgents(flags.agent),
        verb: "install",
        serverOnly: true,
        dryRun,
        approve: flags.approve,
        program,
        signal,
      }),
    );
    return setupAnswer(setups, { dryRun, program });
  },
});
