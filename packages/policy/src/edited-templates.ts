import { isDeepStrictEqual } from "node:util";
import { Failure, shownText } from "@agent-control/base";
import { composedYaml } from "./composed-yaml.ts";
import { sourceText } from "./source-text.ts";
import { templateEdits } from "./template-edits.ts";
import { applyEdits } from "./text-edits.ts";
import { isTable } from "./value-kind.ts";
import { readYaml } from "./yaml-value.ts";

/** What `approveTemplates` answers; apart from it because it loads the YAML library. */
export function editedTemplates(bytes: Uint8Array, path: string, names: readonly string[]): Uint8Array {
  const text = sourceText(bytes, path);
  const root = composedYaml(text, path);
  const { value } = readYaml({ text, path, root });
  if (approves(value, names)) return bytes;
  const edited = applyEdits(text, templateEdits({ text, root, names }));
  if (!isOnlyThat(value, valueAfter(edited, path), names)) throw uneditable(path, names);
  const hadMark = bytes[0] === 0xef && !text.startsWith("\ufeff");
  return Buffer.from(hadMark ? `\ufeff${edited}` : edited);
}

// The edits know places, not meaning; whether they did what they should is seen by reading the result.
function isOnlyThat(before: unknown, after: unknown, names: readonly string[]): boolean {
  return approves(after, names) && isDeepStrictEqual(otherKeys(before), otherKeys(after));
}

function valueAfter(text: string, path: string): unknown {
  try {
    return readYaml({ text, path, root: composedYaml(text, path) }).value;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function approves(value: unknown, names: readonly string[]): boolean {
  const approved = (isTable(value) ? value.templates : undefined) ?? [];
  return Array.isArray(approved) && isDeepStrictEqual([...approved].sort(), [...names].sort());
}

function otherKeys(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isTable(value) ? Object.entries(value).filter(([key]) => key !== "templates") : []);
}

function uneditable(path: string, names: readonly string[]): Failure {
  return new Failure("refused", {
    code: "edit-impossible",
    message: `The list of templates in ${shownText(path)} is written in a way that isx cannot edit`,
    next: `Write templates: [${names.map(shownText).join(", ")}] there yourself`,
  });
}
