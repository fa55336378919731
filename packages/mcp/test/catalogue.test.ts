import { expect, it } from "vitest";
import * as z from "zod";
import { lintCatalogue, renderCatalogue } from "../src/catalogue.ts";
import type { CatalogueEntry } from "../src/index.ts";
import { fixtureTools } from "./fixtures/fixture-tools.ts";

const [sample] = renderCatalogue(fixtureTools) as [CatalogueEntry, ...CatalogueEntry[]];

function lintWithInput(property: object): string[] {
  const properties = { it: { description: "x", ...property } };
  return lintCatalogue([{ ...sample, inputSchema: { ...sample.inputSchema, properties } }]);
}

it("C-21 renders a tool as a flat strict schema with title, texts and annotations", () => {
  expect(sample).toEqual({
    name: "add_numbers",
    title: "Add numbers",
    description: "Use when two whole numbers are to be added.",
    inputSchema: {
      type: "object",
      properties: {
        a: { type: "integer", minimum: 0, maximum: 1000, description: "First number, 0 to 1000" },
        b: {
          type: "integer",
          minimum: 0,
          maximum: 1000,
          default: 1,
          description: "Second number, 0 to 1000, default 1",
        },
      },
      required: ["a"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { sum: { type: "integer" } },
      required: ["sum"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
});

it("C-32 lets the output of audited tools say that their audit line is missing", () => {
  const marked = renderCatalogue(fixtureTools).filter(({ outputSchema }) =>
    JSON.stringify(outputSchema).includes('"audit"'),
  );
  expect(marked.map(({ name }) => name)).toEqual(["write_note", "stop_note", "wait_long", "misbehave"]);
});

it("C-21 renders literals as enums and records without propertyNames", () => {
  const [tool] = fixtureTools;
  if (tool === undefined) throw new Error("no fixture tool");
  const input = z.strictObject({
    one: z.literal("yes").describe("x"),
    three: z.literal([true, false, null]).describe("x"),
    map: z.record(z.string(), z.string()).describe("x"),
  });
  const [entry] = renderCatalogue([{ ...tool, input }]);
  expect(entry?.inputSchema["properties"]).toEqual({
    one: { type: "string", enum: ["yes"], description: "x" },
    three: { enum: [true, false, null], description: "x" },
    map: { type: "object", additionalProperties: { type: "string" }, description: "x" },
  });
  expect(lintCatalogue(entry === undefined ? [] : [entry])).toEqual([]);
});

it("C-21 finds nothing to say about good tools", () => {
  expect(lintCatalogue(renderCatalogue(fixtureTools))).toEqual([]);
});

it.each<[string, Partial<CatalogueEntry>, string]>([
  ["a dot in the name", { name: "a.b" }, "its name must be 1 to 40 of a-z, 0-9 and _"],
  ["41 letters", { name: "a".repeat(41) }, "its name must be 1 to 40 of a-z, 0-9 and _"],
  ["no title", { title: " " }, "it has no title"],
  [
    "1001 characters",
    { description: `Use when ${"x".repeat(992)}`, outputSchema: { type: "object" } },
    "its description must have 1 to 1000 characters",
  ],
  [
    "a first sentence without when",
    { description: "Adds numbers. Use when adding." },
    "its description's first sentence must say when to use it",
  ],
  [
    "a missing annotation",
    { annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as never },
    "its annotation openWorldHint is missing",
  ],
  [
    "a loose input",
    { inputSchema: { type: "object", properties: {} } },
    "its input schema must have additionalProperties false",
  ],
  [
    "an input that is no object",
    { inputSchema: { type: "string", additionalProperties: false } },
    'its input schema must have type "object"',
  ],
  [
    "an output that is no object",
    { outputSchema: { type: "array", items: { type: "string" } } },
    'its output schema must have type "object"',
  ],
])("C-21 complains about %s", (_title, change, problem) => {
  const entry = { ...sample, ...change };
  expect(lintCatalogue([entry])).toContain(`${entry.name}: ${problem}`);
});

it.each([
  ["anyOf", { type: "string", anyOf: [{ type: "string" }] }, "input.it uses anyOf"],
  ["oneOf", { type: "string", oneOf: [] }, "input.it uses oneOf"],
  ["allOf", { type: "string", allOf: [] }, "input.it uses allOf"],
  ["not", { type: "string", not: {} }, "input.it uses not"],
  ["$ref", { type: "string", $ref: "#" }, "input.it uses $ref"],
  ["$defs", { type: "string", $defs: {} }, "input.it uses $defs"],
  ["const", { type: "string", const: "a" }, "input.it uses const"],
  ["prefixItems", { type: "array", items: { type: "string" }, prefixItems: [] }, "input.it uses prefixItems"],
  ["several types", { type: ["string", "null"] }, "input.it has several types"],
  ["no type", {}, "input.it has no type"],
  ["an array without items", { type: "array" }, "input.it is an array without items"],
  ["a nested anyOf", { type: "array", items: { type: "string", anyOf: [] } }, "input.it.items uses anyOf"],
])("C-21 complains about an argument with %s", (_title, property, problem) => {
  expect(lintWithInput(property)).toContain(`add_numbers: ${problem}`);
});

it("C-21 complains about an argument without description and an empty schema", () => {
  const properties = { it: {} };
  expect(lintCatalogue([{ ...sample, inputSchema: { ...sample.inputSchema, properties } }])).toEqual([
    "add_numbers: its argument it has no description",
    "add_numbers: input.it is an empty schema",
    "add_numbers: input.it has no type",
  ]);
});

it("C-21 complains about a name listed twice, 1401 bytes on average and 24 KiB in all", () => {
  expect(lintCatalogue([sample, sample])).toEqual(["add_numbers: it is listed twice"]);

  const title = "x".repeat(1400 - JSON.stringify([{ ...sample, title: "" }]).length);
  expect(lintCatalogue([{ ...sample, title }])).toEqual([]);
  expect(lintCatalogue([{ ...sample, title: `${title}x` }])).toEqual([
    "The tools take 1401 bytes on average; at most 1400 are allowed.",
  ]);

  const many = Array.from({ length: 60 }, (_, index) => ({ ...sample, name: `tool_${index}` }));
  expect(lintCatalogue(many)).toEqual([
    expect.stringMatching(/^The tools take \d+ bytes in all; at most 24576/),
  ]);
});
