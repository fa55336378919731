import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { claudeDirectory } from "./agent-registration.ts";
import { malformed } from "./json-text.ts";
import type { AgentPlace } from "./managed-file.ts";
import { givesWay, type ServerEntry } from "./own-server.ts";

/** How Claude Code itself is told about the MCP server; arguments of its command line. */
export interface ClaudeServer {
  /** Where it writes user-scope servers; only read here. */
  readonly path: string;
  readonly entry: ServerEntry;
  readonly add: readonly string[];
  /** Starts the server and prints whether it connected. */
  readonly get: readonly string[];
  readonly remove: readonly string[];
  /** The entry of our name in the file's text; undefined when there is none. */
  registered(text: string): RegisteredServer | undefined;
}

export interface RegisteredServer {
  readonly argv: readonly string[];
  /** Whether install may replace it. */
  readonly own: boolean;
  /** Whether it is just what install would write. */
  readonly isCurrent: boolean;
}

/** User scope: `claude mcp add` alone would register the server for one project, and settings.json is not read for it. */
export function claudeServer(place: Pick<AgentPlace, "home" | "env">, entry: ServerEntry): ClaudeServer {
  const { name, argv, env } = entry;
  const variables = Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  const { CLAUDE_CONFIG_DIR: directory } = place.env;
  const path = join(directory ? claudeDirectory(place) : place.home, ".claude.json");
  return {
    path,
    entry,
    add: ["mcp", "add", "--scope", "user", name, ...variables, "--", ...argv],
    get: ["mcp", "get", name],
    remove: ["mcp", "remove", "--scope", "user", name],
    registered: (text) => {
      const found = fieldsOf(fieldsOf(fieldsOf(parsed(text, path))["mcpServers"])[name]);
      if (Object.keys(found).length === 0) return undefined;
      const args = Array.isArray(found["args"]) ? found["args"] : [];
      const there = [found["command"], ...args].map(String);
      const isCurrent = isDeepStrictEqual([there, fieldsOf(found["env"])], [argv, env]);
      return { argv: there, own: givesWay(entry, there), isCurrent };
    },
  };
}

function parsed(text: string, path: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(path, error instanceof Error ? error.message : String(error), error);
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
