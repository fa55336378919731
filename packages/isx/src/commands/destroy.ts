import { Failure, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { requireOwn } from "../own-instance.ts";
import { askYesOrNo } from "../setup/questions.ts";

export const destroy = defineCommand({
  description:
    "Deletes instances with everything in them, also those that agents hold. Asks first on a terminal; elsewhere it needs --yes.",
  arguments: [{ name: "names", summary: "The instances", repeated: true }],
  flags: [{ name: "yes", short: "y", type: "boolean", summary: "Do not ask" }],
  example: "isx destroy spike --yes",
  run: async ({ arguments: { names }, flags: { yes }, signal, ...call }, ports: CommandPorts) => {
    const { incus, owner } = await ports.instances();
    for (const name of names) await requireOwn({ incus, owner }, name, signal);
    const shown = names.map(shownText).join(", ");
    const asks = call.stdin.isTerminal && call.terminal.stderrIsTerminal;
    if (!yes && !(asks && (await askYesOrNo(call.ask, `Destroy ${shown}?`, false)))) throw notConfirmed();
    for (const name of names) {
      await call.progress(`Destroying ${name}`, async () => {
        await incus.instances.stop(name, { force: true }, signal);
        await incus.instances.delete(name, signal);
      });
    }
    return { json: { destroyed: [...names] }, human: `Destroyed ${shown}` };
  },
});

function notConfirmed(): Failure {
  return new Failure("refused", {
    code: "not-confirmed",
    message: "Nothing was destroyed",
    next: "Answer y, or add --yes",
  });
}
