import { Failure, nearest, shownText } from "@agent-control/base";
import type * as z from "zod";
import type { ObjectSchema } from "./catalogue-entry.ts";
import { isRecord } from "./message.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The tool's input from a call's arguments, with defaults filled in. Throws a `usage` Failure that names the first
 * bad argument and, for an unknown one, the nearest that exists. `schema` is the tool's advertised input schema.
 */
export function parseArguments<Context>(
  tool: AnyTool<Context>,
  schema: ObjectSchema,
  given: unknown,
): unknown {
  const known = Object.keys(isRecord(schema["properties"]) ? schema["properties"] : {});
  const parsed = tool.input.safeParse(withoutInjected(given ?? {}, known));
  if (parsed.success) return parsed.data;
  throw badArgument(tool.name, known, parsed.error.issues);
}

// Gemini CLI adds this key to every tool it calls and passes it on.
const injected = "wait_for_previous";

function withoutInjected(given: unknown, known: readonly string[]): unknown {
  if (!isRecord(given) || known.includes(injected)) return given;
  return Object.fromEntries(Object.entries(given).filter(([key]) => key !== injected));
}

function badArgument(tool: string, known: readonly string[], issues: readonly z.core.$ZodIssue[]): Failure {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown !== undefined) return unknownArgument(tool, known, unknown);
  const [first] = issues;
  const place =
    first === undefined || first.path.length === 0 ? "The arguments" : `Argument ${quoted(first.path)}`;
  return new Failure("usage", {
    code: "bad-argument",
    message: `${place} of ${tool} cannot be used: ${first?.message ?? "Invalid input"}`,
    next: "Correct it and call again",
  });
}

function unknownArgument(
  tool: string,
  known: readonly string[],
  issue: z.core.$ZodIssueUnrecognizedKeys,
): Failure {
  const key = issue.keys[0] ?? "";
  const near = nearest(key, known);
  return new Failure("usage", {
    code: "unknown-argument",
    message: `Argument ${quoted([...issue.path, key])} of ${tool} does not exist`,
    next: near === undefined ? accepted(known) : `Did you mean "${near}"?`,
  });
}

function accepted(known: readonly string[]): string {
  if (known.length === 0) return "Call it without arguments";
  return `Use only these: ${known.join(", ")}`;
}

function quoted(path: readonly PropertyKey[]): string {
  return `"${shownText(path.join(".")).slice(0, 80)}"`;
}
