import { type Listing, runProgram } from "@agent-control/cli";
import { createMachine } from "@agent-control/system";
import { type CommandPorts, commandPorts } from "./command-ports.ts";
import type { ProcessFacts } from "./main.ts";
import { version } from "./version.ts";

/** Every verb. */
export const commands: readonly Listing<CommandPorts>[] = [
  {
    name: "mcp",
    summary: "Serve the MCP tools on stdio",
    load: async () => (await import("./commands/mcp-help.ts")).mcpHelp,
  },
];

/** Runs the words of the command line; resolves to the exit code. */
export function runIsx(facts: Omit<ProcessFacts, "diagnose">): Promise<number> {
  const program = {
    name: "isx",
    version,
    summary: "Throw-away Linux systems on Incus, for people and for their agents",
    commands,
    ports: () => commandPorts({ ...facts, diagnose: (line) => void process.stderr.write(`${line}\n`) }),
  };
  return runProgram(program, {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    clock: createMachine({ onError: () => {} }).clock,
  });
}
