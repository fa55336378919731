import { type AgentPlace, readAgentFile } from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";

/** This user's place for agent CLIs, with the program as its entries name it. */
export function agentPlace({ machine, facts }: CommandPorts, program: readonly string[]): AgentPlace {
  return {
    home: facts.home,
    env: facts.env,
    program,
    read: (path) => {
      const { exists, text } = readAgentFile(machine.files, path);
      return exists ? text : undefined;
    },
  };
}
