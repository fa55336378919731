import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { requireOwn } from "../own-instance.ts";

export const start = defineCommand({
  description: "Starts an instance and waits until commands can run in it. One that runs is left alone.",
  arguments: [{ name: "name", summary: "The instance" }],
  flags: [],
  example: "isx start spike",
  run: async ({ arguments: { name }, signal, progress }, ports: CommandPorts) => {
    const { incus, guest, owner } = await ports.instances();
    await requireOwn({ incus, owner }, name, signal);
    await progress(`Starting ${name}`, async () => {
      await incus.instances.start(name, signal);
      await guest.waitForBoot(name, { timeoutMs: 60_000, signal });
    });
    return { json: { instance: name, status: "Running" }, human: `${name} runs` };
  },
});
