import { dirname } from "node:path";
import { Failure, type Files, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { editDefinition, largestDefinition, requireDefinition, templatePath } from "../template-file.ts";

export const templatesNew = defineCommand({
  description:
    "Writes a new template of your own: from a file, from standard input with --from -, or in your editor. What is not valid is not written.",
  arguments: [{ name: "name", summary: "Name of the template, e.g. tpl-java" }],
  flags: [
    {
      name: "from",
      type: "string",
      value: "FILE",
      path: true,
      summary: "The definition; - is standard input",
    },
  ],
  example: "isx templates new tpl-java --from java.yaml",
  run: async ({ arguments: { name }, flags: { from }, ...invocation }, ports: CommandPorts) => {
    const { files } = ports.machine;
    const path = templatePath(ports, name);
    await requireFree(ports, name, path);
    const text = from === undefined ? undefined : await given(files, from, invocation.stdin);
    const definition = text ?? (await editDefinition(ports, { name, text: first(name) }, invocation));
    await requireDefinition(definition, name, from ?? path);
    files.makeDirectory(dirname(path));
    files.write(path, definition);
    return {
      json: { template: name, file: path },
      human: [`Wrote ${path}`, `Build it with isx build ${name}`],
    };
  },
});

async function requireFree(ports: CommandPorts, name: string, path: string): Promise<void> {
  const { templates } = await (await ports.instances()).templates.all();
  const taken = templates.get(name)?.chain.at(-1)?.source ?? (ports.machine.files.look(path) && path);
  if (taken === undefined) return;
  throw new Failure("refused", {
    code: "template-exists",
    message: `There is a template ${shownText(name)} already (${shownText(taken)})`,
    next: `Change it with isx templates edit ${shownText(name)}, or take another name`,
  });
}

function first(name: string): string {
  return `name: ${name}\nparent: tpl-dev\ndescription: What it is for\npackages: []\n`;
}

async function given(
  files: Files,
  from: string,
  stdin: { readText(limit: number): Promise<string> },
): Promise<string> {
  if (from === "-") return stdin.readText(largestDefinition);
  const bytes = files.read(from, largestDefinition);
  if (bytes !== undefined) return Buffer.from(bytes).toString();
  throw new Failure("usage", {
    code: "file-missing",
    message: `${shownText(from)} does not exist`,
    next: "Name a file that is there, or - for standard input",
  });
}
