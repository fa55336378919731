import { hostToolName, mentionedName, modelName, script } from "./isx-words.ts";
import { names, required, words } from "./optional-shapes.ts";
import { text, wholeNumber } from "./scalar-shapes.ts";
import { readDocument, type Shape } from "./shape.ts";
import { namedTable, table } from "./table-shapes.ts";
import { isTable } from "./value-kind.ts";

/** `mcp.yaml` of isx with every default filled in. */
export interface McpSettings {
  /** The only templates that agents may branch; [] for a missing or empty file. */
  readonly templates: readonly string[];
  readonly maxInstances: number;
  readonly maxConcurrentTasks: number;
  readonly orphanGraceHours: number;
  readonly dormantAfterHours: number;
  readonly dormantGraceHours: number;
  readonly summaryModel: string;
  /** In file order. */
  readonly hostTools: readonly HostTool[];
  /** Obsolete keys that are there and have no effect. */
  readonly obsolete: readonly string[];
}

export interface HostTool {
  /** `[a-z0-9][a-z0-9_-]{0,39}` and not the name of a built-in tool. */
  readonly name: string;
  /** Passed whole to `sh -c`. */
  readonly command: string;
  readonly description: string;
  /** Seconds, 0..600; 0 = no limit. */
  readonly timeout: number;
  /** Seconds from the end of the last run; 0 = calls wait in line. */
  readonly minInterval: number;
}

/**
 * The settings in an `mcp.yaml`; no bytes means every default, which approves nothing. Throws the Failure
 * `config-invalid` (`refused`) with line, column and key of the first mistake; `details.problems` has the others.
 */
export async function parseMcpSettings(
  bytes: Uint8Array,
  path: string,
  builtInToolNames: readonly string[],
): Promise<McpSettings> {
  const { parseYamlDocument } = await import("./yaml-document.ts");
  return readDocument(parseYamlDocument(bytes, path), mcpSettings(builtInToolNames));
}

const obsoleteKeys = ["delegate-max-turns", "delegate-permission-mode", "delegate-permission-modes", "codex"];

// No limit that a person has a use for is above this; in hours it is 114 years.
const most = 1_000_000;

function mcpSettings(builtInToolNames: readonly string[]): Shape<McpSettings> {
  const file = table({
    templates: names(mentionedName),
    "max-instances": wholeNumber(0, most, 8),
    "max-concurrent-tasks": wholeNumber(0, most, 8),
    "orphan-grace-hours": wholeNumber(0, most, 24),
    "dormant-after-hours": wholeNumber(0, most, 24),
    "dormant-grace-hours": wholeNumber(0, most, 168),
    "summary-model": text("haiku", modelName),
    "host-tools": namedTable(hostTool, freeName(builtInToolNames)),
  });
  return (value, spot) => {
    const obsolete = isTable(value) ? obsoleteKeys.filter((key) => Object.hasOwn(value, key)) : [];
    if (isTable(value)) codexSection(value.codex, spot.below("codex"));
    const found = file(without(value, obsolete), spot);
    return {
      templates: found.templates,
      maxInstances: found["max-instances"],
      maxConcurrentTasks: found["max-concurrent-tasks"],
      orphanGraceHours: found["orphan-grace-hours"],
      dormantAfterHours: found["dormant-after-hours"],
      dormantGraceHours: found["dormant-grace-hours"],
      summaryModel: found["summary-model"],
      hostTools: Object.values(found["host-tools"]),
      obsolete,
    };
  };
}

// What an obsolete key holds does not matter any more.
const ignored: Shape<undefined> = () => undefined;
const codexSection = table({ "sandbox-mode": ignored, "sandbox-modes": ignored });

function without(value: unknown, keys: readonly string[]): unknown {
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function freeName(taken: readonly string[]): (name: string) => string | undefined {
  return (name) =>
    taken.includes(name) ? "is the name of a tool of isx itself; take another" : hostToolName(name);
}

const writtenHostTool = table({
  command: required(words(script), "~/scripts/inventory.sh"),
  description: required(words(script), '"Read-only inventory of stopped instances"'),
  timeout: wholeNumber(0, 600, 60),
  "min-interval": wholeNumber(0, most, 10),
});

function hostTool(name: string): Shape<HostTool> {
  return (value, spot) => {
    const { "min-interval": minInterval, ...rest } = writtenHostTool(value, spot);
    return { name, ...rest, minInterval };
  };
}
