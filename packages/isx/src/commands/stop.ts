import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { requireOwn } from "../own-instance.ts";

const graceS = 10;

export const stop = defineCommand({
  description:
    "Stops an instance: it gets 10 seconds to shut down and is then switched off. One that is stopped is left alone.",
  arguments: [{ name: "name", summary: "The instance" }],
  flags: [{ name: "force", type: "boolean", summary: "Switch it off at once" }],
  example: "isx stop spike",
  run: async ({ arguments: { name }, flags: { force }, signal, progress }, ports: CommandPorts) => {
    const { incus, owner } = await ports.instances();
    await requireOwn({ incus, owner }, name, signal);
    const { stop: stopInstance } = incus.instances;
    const ended = await progress(`Stopping ${name}`, async () => {
      const inTime = force || (await stopInstance(name, { graceS }, signal));
      if (force || !inTime) await stopInstance(name, { force: true }, signal);
      return inTime;
    });
    const how = force || !ended ? "switched off" : "stopped";
    return {
      json: { instance: name, status: "Stopped", forced: how !== "stopped" },
      human: `${name} is ${how}`,
    };
  },
});
