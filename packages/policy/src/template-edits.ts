import { isMap, isPair, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import { isFirstInLine, lineBreak, lineEnd, lineStart, type TextEdit } from "./text-edits.ts";

export interface TemplatesWanted {
  readonly text: string;
  /** The text's nodes; null for a text without a value. */
  readonly root: ParsedNode | null;
  readonly names: readonly string[];
}

/** Edits that make `templates:` of an `mcp.yaml` these names; none where it is not written as a list. */
export function templateEdits({ text, root, names }: TemplatesWanted): TextEdit[] {
  const line = `templates: [${listed(names)}]`;
  if (!isMap(root)) return [newLine(text, text.length, line)];
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === "templates");
  if (pair === undefined) return [newKey(text, root, line)];
  if (!isSeq(pair.value)) return [];
  const entries = entriesOf(pair.value, names);
  const added = names.filter((name) => !entries.some((entry) => entry.name === name));
  const list = { text, seq: pair.value, entries, added };
  return pair.value.flow === true ? flowEdits(list) : blockEdits(list, pair.key.range[1]);
}

interface Entry {
  /** Undefined for what is no text. */
  readonly name: string | undefined;
  readonly stays: boolean;
  readonly from: number;
  readonly to: number;
}

interface WrittenList {
  readonly text: string;
  readonly seq: YAMLSeq.Parsed;
  readonly entries: readonly Entry[];
  readonly added: readonly string[];
}

function newKey(text: string, root: YAMLMap.Parsed, line: string): TextEdit {
  const [from, to] = root.range;
  if (root.flow !== true) return newLine(text, to, line);
  return { from: from + 1, to: from + 1, put: root.items.length === 0 ? line : `${line}, ` };
}

// After the line that the index is in, or right there when a line has just ended.
function newLine(text: string, index: number, line: string): TextEdit {
  const at = text[index - 1] === "\n" ? index : lineEnd(text, index);
  const before = at === 0 || text[at - 1] === "\n" ? "" : lineBreak(text);
  return { from: at, to: at, put: `${before}${line}${lineBreak(text)}` };
}

function entriesOf(seq: YAMLSeq.Parsed, names: readonly string[]): Entry[] {
  return seq.items.map((item) => {
    if (isPair(item)) throw new Error("The YAML library gave a pair in a list");
    const name = isScalar(item) && typeof item.value === "string" ? item.value : undefined;
    return {
      name,
      stays: name !== undefined && names.includes(name),
      from: item.range[0],
      to: item.range[1],
    };
  });
}

function flowEdits({ text, seq, entries, added }: WrittenList): TextEdit[] {
  const keptLast = entries.findLastIndex((entry) => entry.stays);
  const kept = entries[keptLast];
  if (kept === undefined) {
    const from = entries[0]?.from ?? seq.range[0] + 1;
    const end = entries.at(-1)?.to ?? from;
    return [{ from, to: added.length === 0 ? afterComma(text, end) : end, put: listed(added) }];
  }
  const inner = entries.slice(0, keptLast).flatMap((entry, index) => {
    return entry.stays ? [] : [cutBefore(text, entry, entries[index + 1]?.from ?? entry.to)];
  });
  const more = added.length === 0 ? "" : `, ${listed(added)}`;
  return [
    ...inner,
    { from: kept.to, to: kept.to, put: more },
    ...endCut(text, kept, entries.slice(keptLast + 1)),
  ];
}

// An entry with its comma, and with its whole line when it has one for itself.
function cutBefore(text: string, { from, to }: Entry, next: number): TextEdit {
  const feed = text.slice(to, next).indexOf("\n");
  if (feed === -1) return { from, to: next, put: "" };
  if (isFirstInLine(text, from)) return { from: lineStart(text, from), to: to + feed + 1, put: "" };
  return { from, to: to + feed, put: "" };
}

// The entries after the last that stays; where a comment stands between them, a comma is left, which YAML allows.
function endCut(text: string, kept: Entry, gone: readonly Entry[]): TextEdit[] {
  const last = gone.at(-1);
  if (last === undefined) return [];
  if (!text.slice(kept.to, last.to).includes("#")) return [{ from: kept.to, to: last.to, put: "" }];
  return gone.map((entry, index) => {
    return cutBefore(text, entry, gone[index + 1]?.from ?? afterComma(text, entry.to));
  });
}

function afterComma(text: string, index: number): number {
  return index + (/^\s*,/.exec(text.slice(index))?.[0].length ?? 0);
}

function blockEdits({ text, entries, added }: WrittenList, keyEnd: number): TextEdit[] {
  const cuts = entries
    .filter((entry) => !entry.stays)
    .map(({ from, to }) => ({ from: lineStart(text, dashOf(text, from)), to: lineEnd(text, to), put: "" }));
  const first = entries[0];
  const kept = entries.findLast((entry) => entry.stays);
  if (first === undefined) return [];
  if (kept === undefined && added.length === 0) {
    const colon = text.indexOf(":", keyEnd) + 1;
    return [...cuts, { from: colon, to: colon, put: " []" }];
  }
  const dash = dashOf(text, first.from);
  const indent = text.slice(lineStart(text, dash), dash);
  const at = kept === undefined ? lineStart(text, dash) : lineEnd(text, kept.to);
  const lines = added.map((name) => `${indent}- ${written(name)}${lineBreak(text)}`).join("");
  const before = lines === "" || at === 0 || text[at - 1] === "\n" ? "" : lineBreak(text);
  return [...cuts, { from: at, to: at, put: `${before}${lines}` }];
}

function dashOf(text: string, entry: number): number {
  return text.lastIndexOf("-", entry - 1);
}

function listed(names: readonly string[]): string {
  return names.map(written).join(", ");
}

// Without quotes only where YAML reads no boolean, null or number.
function written(name: string): string {
  const plain = /^[a-z][a-z0-9-]*$/.test(name) && !["true", "false", "null"].includes(name);
  return plain ? name : JSON.stringify(name);
}
