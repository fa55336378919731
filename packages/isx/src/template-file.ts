import { dirname, join } from "node:path";
import { Failure, shownText } from "@agent-control/base";
import type { Invocation } from "@agent-control/cli";
import { parseTemplateDefinition } from "@agent-control/policy";
import type { CommandPorts } from "./command-ports.ts";

/** The largest definition that is read, bytes. */
export const largestDefinition = 1024 * 1024;

/** Where this user's own definition of a template is kept. */
export function templatePath({ places }: CommandPorts, name: string): string {
  return join(places.configDirectory, "images", `${name}.yaml`);
}

/** Throws, with file, line and column, unless the text is a definition of exactly this template. */
export async function requireDefinition(text: string, name: string, path: string): Promise<void> {
  const definition = await parseTemplateDefinition(Buffer.from(text), path);
  if (definition.name === name) return;
  throw new Failure("usage", {
    code: "template-name-differs",
    message: `The definition's name is ${shownText(definition.name)}, not ${shownText(name)}`,
    next: "Make both the same",
  });
}

/**
 * Lets the person change the text in their editor ($VISUAL, $EDITOR, else vi) and returns what they wrote, which is a
 * definition of the template. A text that is none stays where they wrote it, and the Failure names the place.
 */
export async function editDefinition(
  ports: CommandPorts,
  { name, text }: { readonly name: string; readonly text: string },
  { stdin, terminal, signal }: Pick<Invocation, "stdin" | "terminal" | "signal">,
): Promise<string> {
  if (!stdin.isTerminal || !terminal.stdoutIsTerminal) throw noTerminal();
  const { files, processes } = ports.machine;
  const { env } = ports.facts;
  const path = join(ports.places.stateDirectory, "edit", `${name}.yaml`);
  files.makeDirectory(dirname(path));
  files.write(path, text);
  const editor = env["VISUAL"] || env["EDITOR"] || "vi";
  // Editors are often given with flags, so that a shell has to split the words.
  await processes.runOnTerminal({ file: "/bin/sh", args: ["-c", `exec ${editor} "$1"`, "sh", path], signal });
  const edited = Buffer.from(files.read(path, largestDefinition) ?? "").toString();
  await requireDefinition(edited, name, path);
  files.remove(path);
  return edited;
}

function noTerminal(): Failure {
  return new Failure("usage", {
    code: "no-terminal",
    message: "An editor needs a terminal",
    next: "Give the definition with isx templates new NAME --from FILE, or - for standard input",
  });
}
