import type { TextEdit } from "./text-edit.ts";

/** The lines around a server's table, and the table's header. */
export interface Marks {
  readonly name: string;
  readonly first: string;
  readonly last: string;
  readonly header: string;
}

export function marksOf(name: string): Marks {
  return {
    name,
    first: `# >>> ${name} >>>`,
    last: `# <<< ${name} <<<`,
    header: `[mcp_servers.${name}]`,
  };
}

/** Where our lines stand in a config.toml. */
export interface Block {
  /** Characters from the first mark to the end of the table's own lines. */
  readonly start: number;
  readonly end: number;
  /** The last mark, when Codex put other tables before it. */
  readonly strayMark: { readonly start: number; readonly end: number } | undefined;
}

/** Our lines: from the first mark to the last, or to where Codex or a person put something between. */
export function blockIn(text: string, { first, last, header }: Marks): Block | undefined {
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

/** The edit that puts the block at the end. */
export function append(text: string, block: string, eol: string): TextEdit[] {
  const separator = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return [{ offset: text.length, length: 0, text: `${separator}${block}${eol}` }];
}

/** The edits that put `wanted` in the block's place; none when it stands there. */
export function rewrite(text: string, block: Block, wanted: string): TextEdit[] {
  const stands = text.slice(block.start, block.end);
  if (!block.strayMark && stands.trimEnd() === wanted) return [];
  const eol = /\r?\n$/.exec(stands)?.[0] ?? "";
  const replaced = { offset: block.start, length: block.end - block.start, text: wanted + eol };
  return [...cutMark(block), replaced];
}

/** Takes the block away, and the blank line that `append` puts before it. */
export function cut(text: string, block: Block): TextEdit[] {
  const blank = /(?<=\n)\r?\n$/.exec(text.slice(0, block.start))?.[0].length ?? 0;
  const start = block.start - blank;
  return [...cutMark(block), { offset: start, length: block.end - start, text: "" }];
}

function cutMark({ strayMark }: Block): TextEdit[] {
  if (!strayMark) return [];
  return [{ offset: strayMark.start, length: strayMark.end - strayMark.start, text: "" }];
}
