import { defineCommand } from "@agent-control/cli";
import { readStamp } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { requireOwn } from "../own-instance.ts";
import { shellWord } from "../shell-word.ts";

const keptBytes = 16 * 1024 * 1024;

export const run = defineCommand({
  description:
    "Runs a command in a running instance, as agentuser in its working directory, and passes its output and exit code on. Standard input is not passed on.",
  arguments: [
    { name: "name", summary: "The instance" },
    { name: "command", summary: "The program and its arguments", repeated: true },
  ],
  flags: [],
  example: "isx run spike -- make test",
  ownsStdout: true,
  run: async ({ arguments: { name, command }, signal, print }, ports: CommandPorts) => {
    const { incus, guest, owner } = await ports.instances();
    const { config } = await requireOwn({ incus, owner }, name, signal);
    const { workdir } = readStamp(config);
    const { exitCode, stdout, stderr } = await guest.exec(name, {
      command: command.map(shellWord).join(" "),
      ...(workdir === undefined ? {} : { cwd: workdir }),
      maxOutputBytes: keptBytes,
      signal,
    });
    await print(stdout.text);
    process.stderr.write(stderr.text);
    return { json: {}, human: [], exitCode };
  },
});
