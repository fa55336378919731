import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { openShell } from "../open-shell.ts";

export const shell = defineCommand({
  description: "Opens a shell in an instance, as agentuser; starts the instance when it is stopped.",
  arguments: [{ name: "name", summary: "The instance" }],
  flags: [],
  example: "isx shell spike",
  ownsStdout: true,
  run: async ({ arguments: { name }, ...invocation }, ports: CommandPorts) => {
    if (!invocation.stdin.isTerminal || !invocation.terminal.stdoutIsTerminal) throw noTerminal(name);
    return openShell({ ...(await ports.instances()), invocation }, name);
  },
});

function noTerminal(name: string): Failure {
  return new Failure("usage", {
    code: "no-terminal",
    message: "shell needs a terminal",
    next: `Run it from one, or use isx run ${name} -- COMMAND`,
  });
}
