import { Failure, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { editDefinition, largestDefinition } from "../template-file.ts";

export const templatesEdit = defineCommand({
  description: "Opens a template's file in your editor. What is not valid does not replace the file.",
  arguments: [{ name: "name", summary: "The template" }],
  flags: [],
  example: "isx templates edit tpl-java",
  run: async ({ arguments: { name }, ...invocation }, ports: CommandPorts) => {
    const { templates } = await ports.instances();
    const found = (await templates.all()).require(name).chain.at(-1);
    if (found === undefined || found.layer === "built-in") throw builtIn(name);
    const { files } = ports.machine;
    const path = files.realPath(found.source) ?? found.source;
    const text = Buffer.from(files.read(path, largestDefinition) ?? "").toString();
    files.write(path, await editDefinition(ports, { name, text }, invocation), {
      mode: files.look(path)?.mode ?? 0o600,
    });
    return { json: { template: name, file: path }, human: `Wrote ${path}` };
  },
});

function builtIn(name: string): Failure {
  return new Failure("refused", {
    code: "template-built-in",
    message: `${shownText(name)} is built in`,
    next: `Make one of your own with isx templates new, with parent: ${shownText(name)}`,
  });
}
