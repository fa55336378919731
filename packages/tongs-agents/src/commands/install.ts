import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { chosenAgents, setupFlags } from "../setup/flags.ts";
import { ownProgram } from "../setup/own-program.ts";
import { setUpAgents } from "../setup/set-up-agents.ts";
import { setupAnswer } from "../setup/setup-answer.ts";

export const install = defineCommand({
  description:
    "Registers the MCP server and what reports the status with each agent CLI on PATH: hooks in Claude Code's settings.json and Codex's hooks.json, a plugin for opencode, an extension for Pi. Everything else in those files stays as it is. Run it again after this program has moved.\n\nAgents ask before they use a tool as they are set up to; --approve lets Codex use these without asking.",
  arguments: [],
  flags: [
    ...setupFlags,
    { name: "approve", type: "boolean", summary: "Codex runs the tools without asking" },
  ],
  example: "tongs-agents install --agent claude --dry-run",
  run: async ({ flags, signal, warn, progress }, ports: CommandPorts) => {
    const { argv: program, warning } = ownProgram(ports);
    if (warning) await warn(warning);
    const dryRun = flags["dry-run"];
    const setups = await progress("installing", () =>
      setUpAgents(ports, {
        agents: chosenAgents(flags.agent),
        verb: "install",
        serverOnly: false,
        dryRun,
        approve: flags.approve,
        program,
        signal,
      }),
    );
    return setupAnswer(setups, { dryRun, program });
  },
});
