import * as z from "zod";
import type { CatalogueEntry, ObjectSchema } from "./catalogue-entry.ts";
import { isRecord } from "./message.ts";
import type { AnyTool } from "./tool.ts";

export { lintCatalogue } from "./lint-catalogue.ts";

/**
 * What `tools/list` will show, in the order given, as plain data to be kept in a file: made at build time, so that
 * a server converts nothing at start. Audited tools get the `audit` field in their output.
 */
export function renderCatalogue<Context>(tools: readonly AnyTool<Context>[]): CatalogueEntry[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema(tool.input, "input"),
    outputSchema: withAuditMark(tool, objectSchema(tool.output, "output")),
    annotations: tool.annotations,
  }));
}

function objectSchema(schema: z.ZodType, io: "input" | "output"): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return portable(rest) as ObjectSchema;
}

// Says the same with the words that every client understands: a one-word enum for `const`, `true` for a schema that takes anything, no bounds that only
// repeat what a JSON number can hold, no `propertyNames` that only says "string".
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, one]) => !saysNothing(key, one));
  return Object.fromEntries(
    kept.map(([key, one]) => {
      if (key === "const") return ["enum", [one]];
      if (key === "additionalProperties" && isRecord(one) && Object.keys(one).length === 0)
        return [key, true];
      return [key, portable(one)];
    }),
  );
}

function saysNothing(key: string, value: unknown): boolean {
  if (key === "maximum" || key === "minimum") return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return key === "propertyNames" && isRecord(value) && Object.keys(value).join() === "type";
}

function withAuditMark<Context>(tool: AnyTool<Context>, schema: ObjectSchema): ObjectSchema {
  if (tool.action === "") return schema;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, audit: auditMark } };
}

const auditMark = {
  type: "string",
  enum: ["failed"],
  description: "Only when the audit line could not be written",
};
