import { join } from "node:path";
import { claudeDirectory } from "./agent-registration.ts";
import { malformed } from "./json-text.ts";
import type { AgentPlace } from "./managed-file.ts";
import { isOwnServer, serverArgv, serverName } from "./own-server.ts";

/** How Claude Code itself is told about the MCP server; arguments of its command line. */
export interface ClaudeServer {
  /** Where it writes user-scope servers; only read here. */
  readonly path: string;
  readonly argv: readonly string[];
  readonly add: readonly string[];
  /** Starts the server and prints whether it connected. */
  readonly get: readonly string[];
  readonly remove: readonly string[];
  /** The server's argv in the file's text; undefined when there is none of our name. */
  registered(text: string): { readonly argv: readonly string[]; readonly own: boolean } | undefined;
}

/** User scope: `claude mcp add` alone would register the server for one project, and settings.json is not read for it. */
export function claudeServer(place: AgentPlace): ClaudeServer {
  const argv = serverArgv(place);
  const { CLAUDE_CONFIG_DIR: directory } = place.env;
  const path = join(directory ? claudeDirectory(place) : place.home, ".claude.json");
  return {
    path,
    argv,
    add: ["mcp", "add", "--scope", "user", serverName, "--", ...argv],
    get: ["mcp", "get", serverName],
    remove: ["mcp", "remove", "--scope", "user", serverName],
    registered: (text) => {
      const entry = fieldsOf(fieldsOf(fieldsOf(parsed(text, path))["mcpServers"])[serverName]);
      if (Object.keys(entry).length === 0) return undefined;
      const args = Array.isArray(entry["args"]) ? entry["args"] : [];
      const found = [entry["command"], ...args].map(String);
      return { argv: found, own: isOwnServer(found) };
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
