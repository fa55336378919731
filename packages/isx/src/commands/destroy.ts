import { Failure, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { confirm } from "../confirm.ts";
import { requireOwn } from "../own-instance.ts";

export const destroy = defineCommand({
  description:
    "Deletes instances with everything in them, also those that agents hold. Asks first on a terminal; elsewhere it needs --yes.",
  arguments: [{ name: "names", summary: "The instances", repeated: true }],
  flags: [{ name: "yes", short: "y", type: "boolean", summary: "Do not ask" }],
  example: "isx destroy spike --yes",
  run: async ({ arguments: { names }, flags: { yes }, ...invocation }, ports: CommandPorts) => {
    const { signal } = invocation;
    const { incus, owner } = await ports.instances();
    for (const name of names) await requireOwn({ incus, owner }, name, signal);
    const shown = names.map(shownText).join(", ");
    if (!yes && !(await confirm(invocation, `Destroy ${shown}?`))) {
      throw new Failure("refused", {
        code: "not-confirmed",
        message: "Nothing was destroyed",
        next: "Answer y, or add --yes",
      });
    }
    for (const name of names) {
      await invocation.progress(`Destroying ${name}`, async () => {
        await incus.instances.stop(name, { force: true }, signal);
        await incus.instances.delete(name, signal);
      });
    }
    return { json: { destroyed: [...names] }, human: `Destroyed ${shown}` };
  },
});
