import { endOfBrackets } from "./directives.ts";
import { fields, isObject, list } from "./json-value.ts";
import type { Position } from "./turns.ts";

/**
 * The value with every `{{result…}}` and `{{results.N…}}` in its strings replaced. A string that is one reference
 * becomes the referenced value with its type. A reference inside a nested `[[…]]` stays: it belongs to the agent
 * that receives the text. Throws an Error with one sentence when there is nothing at a path.
 */
export function fillReferences(value: unknown, position: Position): unknown {
  if (typeof value === "string") return fillString(value, position);
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, position));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillReferences(item, position)]),
  );
}

/** The text with its references replaced by text; other than strings are written as JSON. */
export function fillText(text: string, position: Position): string {
  return outsideBrackets(text, (part) =>
    part.replace(reference, (_all, path: string) => written(look(path, position))),
  );
}

const reference = /\{\{\s*(results?(?:\.[\w-]+)*)\s*\}\}/g;
const onlyReference = new RegExp(`^${reference.source}$`);

function fillString(text: string, position: Position): unknown {
  const path = onlyReference.exec(text)?.[1];
  return path === undefined ? fillText(text, position) : look(path, position);
}

function outsideBrackets(text: string, replace: (part: string) => string): string {
  const open = text.indexOf("[[");
  const end = open < 0 ? undefined : endOfBrackets(text, open);
  if (end === undefined) return replace(text);
  return replace(text.slice(0, open)) + text.slice(open, end) + outsideBrackets(text.slice(end), replace);
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function look(path: string, position: Position): unknown {
  const [root, ...steps] = path.split(".");
  const result = root === "results" ? position.results[Number(steps.shift())] : position.lastResult;
  if (result === undefined) throw new Error(`There is no tool result for {{${path}}}.`);
  if (steps.length === 0) return result;
  const value = steps.reduce<unknown>(step, resultJson(result));
  if (value === undefined) throw new Error(`The tool result has nothing at {{${path}}}.`);
  return value;
}

function step(value: unknown, key: string): unknown {
  return Array.isArray(value) ? list(value)[Number(key)] : fields(value)[key];
}

/** The JSON of a tool result; Codex puts lines about timing and `Output:` before it. */
function resultJson(result: string): unknown {
  const body = /^[\s\S]*?^Output:\n([\s\S]*)$/m.exec(result)?.[1];
  for (const candidate of [result, body]) {
    try {
      if (candidate !== undefined) return JSON.parse(candidate);
    } catch {
      // Not JSON: the next candidate may be.
    }
  }
  return undefined;
}
