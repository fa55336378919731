import type { CatalogueEntry } from "./catalogue-entry.ts";
import { isRecord } from "./message.ts";

/** What would keep some client from using these tools, one sentence each; [] when nothing would. */
export function lintCatalogue(entries: readonly CatalogueEntry[]): string[] {
  return [...entries.flatMap(lintEntry), ...lintNames(entries), ...lintSize(entries)];
}

// Some clients join "mcp__<server>__" and the name and cut at 60 to 64 characters.
const goodName = /^[a-z0-9_]{1,40}$/;
const saysWhen = /^use\b|\b(when|whenever|before|after|once|if|while)\b/i;
const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
// Cursor refuses a request that contains one of these in any tool; Codex and Gemini rewrite or drop them.
const unportable = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "$ref",
  "$defs",
  "definitions",
  "const",
  "prefixItems",
  "patternProperties",
];
const mostPerTool = 1400;
const mostInAll = 24 * 1024;

function lintEntry(entry: CatalogueEntry): string[] {
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  const problems = [
    ...say(!goodName.test(name), "its name must be 1 to 40 of a-z, 0-9 and _"),
    ...say(title.trim() === "", "it has no title"),
    ...say(
      description.length < 1 || description.length > 1000,
      "its description must have 1 to 1000 characters",
    ),
    ...say(
      !saysWhen.test(firstSentence(description)),
      "its description's first sentence must say when to use it",
    ),
    ...hints.flatMap((hint) =>
      say(typeof annotations[hint] !== "boolean", `its annotation ${hint} is missing`),
    ),
    ...lintInput(inputSchema),
    ...lintSchema(inputSchema, "input"),
    ...say(outputSchema["type"] !== "object", 'its output schema must have type "object"'),
    ...lintSchema(outputSchema, "output"),
  ];
  return problems.map((problem) => `${name}: ${problem}`);
}

function lintInput(schema: Readonly<Record<string, unknown>>): string[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return [
    ...say(schema["type"] !== "object", 'its input schema must have type "object"'),
    ...say(schema["additionalProperties"] !== false, "its input schema must have additionalProperties false"),
    ...Object.entries(properties).flatMap(([key, property]) =>
      say(!isRecord(property) || !property["description"], `its argument ${key} has no description`),
    ),
  ];
}

function lintSchema(schema: unknown, place: string): string[] {
  if (!isRecord(schema)) return [`${place} must be a schema object`];
  return [
    ...say(Object.keys(schema).length === 0, `${place} is an empty schema`),
    ...unportable.flatMap((word) => say(word in schema, `${place} uses ${word}`)),
    ...say(Array.isArray(schema["type"]), `${place} has several types`),
    ...say(schema["type"] === undefined && schema["enum"] === undefined, `${place} has no type`),
    ...say(schema["type"] === "array" && !isRecord(schema["items"]), `${place} is an array without items`),
    ...children(schema).flatMap(([key, child]) => lintSchema(child, `${place}.${key}`)),
  ];
}

function children(schema: Readonly<Record<string, unknown>>): [string, unknown][] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...(isRecord(properties) ? Object.entries(properties) : []),
    ...(items === undefined ? [] : ([["items", items]] satisfies [string, unknown][])),
    ...(isRecord(additionalProperties)
      ? ([["additionalProperties", additionalProperties]] satisfies [string, unknown][])
      : []),
  ];
}

function lintNames(entries: readonly CatalogueEntry[]): string[] {
  const names = entries.map(({ name }) => name);
  return names.flatMap((name, index) => say(names.indexOf(name) !== index, `${name}: it is listed twice`));
}

function lintSize(entries: readonly CatalogueEntry[]): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(entries));
  const average = Math.round(bytes / Math.max(entries.length, 1));
  return [
    ...say(
      average > mostPerTool,
      `The tools take ${average} bytes on average; at most ${mostPerTool} are allowed.`,
    ),
    ...say(bytes > mostInAll, `The tools take ${bytes} bytes in all; at most ${mostInAll} are allowed.`),
  ];
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function say(wrong: boolean, problem: string): string[] {
  return wrong ? [problem] : [];
}
