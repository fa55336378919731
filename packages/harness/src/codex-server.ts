import { parse } from "smol-toml";
import { append, blockIn, cut, firstMark, lastMark, rewrite, serverHeader } from "./codex-block.ts";
import { malformed } from "./json-text.ts";
import type { AgentPlace, ManagedFile } from "./managed-file.ts";
import { foreignServer, isOwnServer, serverArgv, serverName, toolTimeoutSeconds } from "./own-server.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/** What Codex passes to the server besides the few variables that it never clears. */
export const codexPassedVariables: readonly string[] = [
  "TONGS_AGENTS_LAUNCH_ID",
  "TONGS_AGENTS_STATE_DIR",
  "TONGS_AGENTS_CONFIG",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_RUNTIME_DIR",
  "TMUX",
  "TMUX_PANE",
  "TMUX_TMPDIR",
  "ZELLIJ",
  "ZELLIJ_PANE_ID",
  "ZELLIJ_SESSION_NAME",
  "ZELLIJ_SOCKET_DIR",
];

/**
 * The MCP server in Codex's config.toml, as one marked block at its end. Every edit is parsed before it is handed
 * out: it is refused when anything but the server's own table would read differently after it.
 */
export function codexServer(
  path: string,
  options: Pick<AgentPlace, "program"> & { readonly approve: boolean },
): ManagedFile {
  const wanted = renderBlock(options);
  return {
    path,
    what: "MCP server",
    part: "server",
    add: (text) => {
      const before = readConfig(text, path);
      const block = blockIn(text);
      if (!block && before.own !== undefined) throw foreignServer(path);
      const eol = text.includes("\r\n") ? "\r\n" : "\n";
      const lines = wanted.join(eol);
      const edits = block ? rewrite(text, block, lines) : append(text, lines, eol);
      return checked(text, edits, { path, before });
    },
    remove: (text) => {
      const block = blockIn(text);
      return block ? checked(text, cut(text, block), { path, before: readConfig(text, path) }) : [];
    },
    entries: (text) => {
      const { own } = readConfig(text, path);
      const argv = [own?.["command"], ...asList(own?.["args"])];
      return blockIn(text) && isOwnServer(argv) ? [argv] : [];
    },
  };
}

function renderBlock(options: Pick<AgentPlace, "program"> & { readonly approve: boolean }): string[] {
  const [command, ...args] = serverArgv(options);
  return [
    firstMark,
    "# Written by `tongs-agents install`, which replaces what is changed between these marks.",
    serverHeader,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(", ")}]`,
    `env_vars = [${codexPassedVariables.map(quoted).join(", ")}]`,
    `tool_timeout_sec = ${toolTimeoutSeconds}`,
    ...(options.approve ? ['default_tools_approval_mode = "approve"'] : []),
    lastMark,
  ];
}

/** A basic string: JSON's escapes are TOML's, except that TOML also wants DEL escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

type Table = Readonly<Record<string, unknown>>;

interface Config {
  /** The server's table. */
  readonly own: Table | undefined;
  /** Everything else, as text that can be compared. */
  readonly rest: string;
}

function checked(
  text: string,
  edits: readonly TextEdit[],
  { path, before }: { readonly path: string; readonly before: Config },
): readonly TextEdit[] {
  const after = readConfig(applyEdits(text, edits).text, path);
  if (after.rest === before.rest) return edits;
  throw malformed(path, `other settings stand between "${firstMark}" and "${lastMark}"`);
}

function readConfig(text: string, path: string): Config {
  const config = parsed(text, path);
  const servers = asTable(config["mcp_servers"]);
  const { [serverName]: own, ...others } = servers ?? {};
  const { mcp_servers: _, ...settings } = config;
  return {
    own: asTable(own),
    rest: comparable({ settings, others }),
  };
}

function parsed(text: string, path: string): Table {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    throw malformed(path, why, error);
  }
}

function comparable(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));
}

function asTable(value: unknown): Table | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
