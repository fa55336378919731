import type { TextEdit } from "./text-edit.ts";

/**
 * The edits that take a server's own tables out of a config.toml, `[mcp_servers.NAME]` and those below it; blank lines
 * and comments after a table stay. Goes by lines, so the caller parses what comes out.
 */
export function cutTables(text: string, name: string): TextEdit[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const edits: TextEdit[] = [];
  let offset = 0;
  let isOurs = false;
  for (const line of lines) {
    const header = /^\s*\[/.test(line);
    if (header) isOurs = isHeaderOf(line, name);
    if (isOurs && !/^\s*(?:#|$)/.test(line)) edits.unshift({ offset, length: line.length, text: "" });
    offset += line.length;
  }
  return edits;
}

function isHeaderOf(line: string, name: string): boolean {
  const escaped = name.replaceAll(/[^\w]/g, "\\$&");
  return new RegExp(`^\\s*\\[\\s*mcp_servers\\s*\\.\\s*(["']?)${escaped}\\1\\s*[.\\]]`).test(line);
}
