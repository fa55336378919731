import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { chosenAgents, setupFlags } from "../setup/flags.ts";
import { ownProgram } from "../setup/own-program.ts";
import { setUpAgents } from "../setup/set-up-agents.ts";
import { setupAnswer } from "../setup/setup-answer.ts";

export const uninstall = defineCommand({
  description:
    "Takes away what install wrote. A file that did not change since then is as it was before, to the byte; in any other only the entries go. Configuration, records and the audit log of this program stay.",
  arguments: [],
  flags: setupFlags,
  example: "tongs-agents uninstall --agent codex",
  run: async ({ flags, signal }, ports: CommandPorts) => {
    const { argv: program } = ownProgram(ports);
    const dryRun = flags["dry-run"];
    const setups = await setUpAgents(ports, {
      agents: chosenAgents(flags.agent),
      verb: "uninstall",
      serverOnly: false,
      dryRun,
      approve: false,
      program,
      signal,
    });
    return setupAnswer(setups, { dryRun, program });
  },
});
