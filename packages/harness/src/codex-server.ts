import { parse } from "smol-toml";
import { append, blockIn, cut, type Marks, marksOf, rewrite } from "./codex-block.ts";
import { cutTables } from "./codex-tables.ts";
import { malformed } from "./json-text.ts";
import type { ManagedFile } from "./managed-file.ts";
import { foreignServer, givesWay, type ServerEntry, toolTimeoutSeconds } from "./own-server.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/**
 * The MCP server in Codex's config.toml, as one marked block at its end. Every edit is parsed before it is handed
 * out: it is refused when anything but the server's own table would read differently after it.
 */
export function codexServer(
  path: string,
  options: { readonly server: ServerEntry; readonly approve: boolean },
): ManagedFile {
  const { server } = options;
  const marks = marksOf(server.name);
  const wanted = renderBlock(marks, options);
  const place = { path, marks };
  return {
    path,
    what: "MCP server",
    part: "server",
    add: (text) => {
      const before = readConfig(text, place);
      const block = blockIn(text, marks);
      const eol = text.includes("\r\n") ? "\r\n" : "\n";
      const lines = wanted.join(eol);
      if (block) return checked(text, rewrite(text, block, lines), { ...place, before });
      if (before.own !== undefined && server.replaces === "own") throw foreignServer(path, server);
      const cuts = before.own === undefined ? [] : cutTables(text, server.name);
      const { text: left } = applyEdits(text, cuts);
      if (readConfig(left, place).own !== undefined) throw foreignServer(path, server);
      return checked(text, [...cuts, ...append(left, lines, eol)], { ...place, before });
    },
    remove: (text) => {
      const block = blockIn(text, marks);
      return block ? checked(text, cut(text, block), { ...place, before: readConfig(text, place) }) : [];
    },
    entries: (text) => {
      const { own } = readConfig(text, place);
      const argv = [own?.["command"], ...asList(own?.["args"])];
      const isThere = own !== undefined && (server.replaces === "any" || blockIn(text, marks) !== undefined);
      return isThere && givesWay(server, argv) ? [argv.map(String)] : [];
    },
  };
}

function renderBlock(
  marks: Marks,
  { server, approve }: { readonly server: ServerEntry; readonly approve: boolean },
): string[] {
  const [command = "", ...args] = server.argv;
  const env = Object.entries(server.env).map(([name, value]) => `${name} = ${quoted(value)}`);
  return [
    marks.first,
    `# Written by \`${server.writtenBy}\`, which replaces what is changed between these marks.`,
    marks.header,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(", ")}]`,
    ...(env.length === 0 ? [] : [`env = { ${env.join(", ")} }`]),
    ...(server.passedOn.length === 0 ? [] : [`env_vars = [${server.passedOn.map(quoted).join(", ")}]`]),
    `tool_timeout_sec = ${toolTimeoutSeconds}`,
    ...(approve ? ['default_tools_approval_mode = "approve"'] : []),
    marks.last,
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
  { before, ...place }: Place & { readonly before: Config },
): readonly TextEdit[] {
  const { path, marks } = place;
  const after = readConfig(applyEdits(text, edits).text, place);
  if (after.rest === before.rest) return edits;
  throw malformed(path, `other settings stand between "${marks.first}" and "${marks.last}"`);
}

interface Place {
  readonly path: string;
  readonly marks: Marks;
}

function readConfig(text: string, { path, marks }: Place): Config {
  const config = parsed(text, path);
  const servers = asTable(config["mcp_servers"]);
  const { [marks.name]: own, ...others } = servers ?? {};
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
