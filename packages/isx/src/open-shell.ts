import type { Answer, Invocation } from "@agent-control/cli";
import { readStamp } from "@agent-control/instances";
import { requireOwn } from "./own-instance.ts";
import { runOnTerminal } from "./run-on-terminal.ts";
import type { InstanceWiring } from "./wire-instances.ts";

export interface ShellPorts extends InstanceWiring {
  readonly invocation: Pick<Invocation, "signal" | "progress" | "terminal">;
}

/**
 * Opens an instance's shell on this terminal, as agentuser in its working directory, or runs `action` there first;
 * starts the instance when it is stopped. The exit code is the shell's.
 */
export async function openShell(
  ports: ShellPorts,
  name: string,
  { action }: { readonly action?: string | undefined } = {},
): Promise<Answer> {
  const { incus, guest, invocation } = ports;
  const { config, status } = await requireOwn(ports, name, invocation.signal);
  if (status !== "Running") {
    await invocation.progress(`Starting ${name}`, async () => {
      await incus.instances.start(name, invocation.signal);
      await guest.waitForBoot(name, { timeoutMs: 60_000, signal: invocation.signal });
    });
  }
  const { workdir, shellCommand } = readStamp(config);
  const command = action ?? shellCommand ?? "exec bash -l";
  const exitCode = await runOnTerminal(incus, name, { command, workdir, signal: invocation.signal });
  return { json: { instance: name, exit_code: exitCode }, human: [], exitCode };
}
