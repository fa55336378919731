import { parse } from "smol-toml";
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

const first = `# >>> ${serverName} >>>`;
const last = `# <<< ${serverName} <<<`;
const header = `[mcp_servers.${serverName}]`;

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
    first,
    "# Written by `tongs-agents install`, which replaces what is changed between these marks.",
    header,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(", ")}]`,
    `env_vars = [${codexPassedVariables.map(quoted).join(", ")}]`,
    `tool_timeout_sec = ${toolTimeoutSeconds}`,
    ...(options.approve ? ['default_tools_approval_mode = "approve"'] : []),
    last,
  ];
}

/** A basic string: JSON's escapes are TOML's, except that TOML also wants DEL escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

interface Block {
  /** Characters from the first mark to the end of the table's own lines. */
  readonly start: number;
  readonly end: number;
  /** The last mark, when Codex put other tables before it. */
  readonly strayMark: { readonly start: number; readonly end: number } | undefined;
}

/** Our lines: from the first mark to the last, or to where Codex or a person put something between. */
function blockIn(text: string): Block | undefined {
  const lines = linesOf(text);
  const opening = lines.findIndex((line) => line.text === first);
  const start = lines[opening]?.start;
  if (start === undefined) return undefined;
  const below = lines.slice(opening + 1);
  const closing = below.findIndex((line) => line.text === last);
  const foreign = below.findIndex(
    (line) => line.text === "" || (line.text.startsWith("[") && line.text !== header),
  );
  const isWhole = closing !== -1 && (foreign === -1 || closing < foreign);
  const count = isWhole ? closing + 1 : foreign === -1 ? below.length : foreign;
  const end = lines[opening + count]?.end ?? text.length;
  return { start, end, strayMark: isWhole ? undefined : below[closing] };
}

function linesOf(text: string): { readonly start: number; readonly end: number; readonly text: string }[] {
  let start = 0;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const end = start + line.length;
    const seen = { start, end, text: line.trim() };
    start = end;
    return seen;
  });
}

function append(text: string, block: string, eol: string): TextEdit[] {
  const separator = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return [{ offset: text.length, length: 0, text: `${separator}${block}${eol}` }];
}

function rewrite(text: string, block: Block, wanted: string): TextEdit[] {
  const stands = text.slice(block.start, block.end);
  if (!block.strayMark && stands.trimEnd() === wanted) return [];
  const eol = /\r?\n$/.exec(stands)?.[0] ?? "";
  const replaced = { offset: block.start, length: block.end - block.start, text: wanted + eol };
  return [...cutMark(block), replaced];
}

/** Takes the block away, and the blank line that `append` puts before it. */
function cut(text: string, block: Block): TextEdit[] {
  const blank = /(?<=\n)\r?\n$/.exec(text.slice(0, block.start))?.[0].length ?? 0;
  const start = block.start - blank;
  return [...cutMark(block), { offset: start, length: block.end - start, text: "" }];
}

function cutMark({ strayMark }: Block): TextEdit[] {
  if (!strayMark) return [];
  return [{ offset: strayMark.start, length: strayMark.end - strayMark.start, text: "" }];
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
  throw malformed(path, `other settings stand between "${first}" and "${last}"`);
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
