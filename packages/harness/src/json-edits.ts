import type { JsonNode } from "./json-text.ts";
import type { TextEdit } from "./text-edit.ts";

/** A member to add: the key of an object's, none for an array's. */
export interface NewMember {
  readonly key?: string;
  readonly value: unknown;
}

/**
 * Adds a member behind the last one, in the file's own indentation and line ends. Nothing that stands there changes
 * but a comma after the last member; a comment on that member's line stays with it.
 */
export function insertMember(text: string, container: JsonNode, member: NewMember): TextEdit[] {
  const last = container.children?.at(-1);
  return last ? insertAfter(text, { container, last, member }) : insertFirst(text, container, member);
}

/** Removes the member and the one comma that this leaves over. Comments around it stay. */
export function removeMember(text: string, container: JsonNode, member: JsonNode): TextEdit[] {
  const members = container.children ?? [];
  const index = members.indexOf(member);
  const before = members[index - 1];
  const ownComma = commaAfter(text, member);
  const end = ownComma === undefined ? endOf(member) : ownComma + 1;
  const start = startWithBlanks(text, member.offset, end);
  const edits = [{ offset: start, length: end - start, text: "" }];
  const comma = ownComma === undefined && before ? commaAfter(text, before) : undefined;
  return comma === undefined ? edits : [...edits, { offset: comma, length: 1, text: "" }];
}

/** Whether nothing else is in what holds the member, comments included. */
export function isAlone(text: string, member: JsonNode): boolean {
  const { parent } = member;
  if (parent?.children?.length !== 1) return false;
  const around = text.slice(parent.offset + 1, member.offset) + text.slice(endOf(member), endOf(parent) - 1);
  return /^[\s,]*$/.test(around);
}

/** Puts another value in the place of one. */
export function replaceValue(node: JsonNode, value: unknown): TextEdit[] {
  return [{ offset: node.offset, length: node.length, text: JSON.stringify(value) }];
}

function insertFirst(text: string, container: JsonNode, member: NewMember): TextEdit[] {
  const { unit, eol } = layoutOf(text, container);
  const outer = indentAt(text, container.offset);
  const inner = text.slice(container.offset + 1, endOf(container) - 1);
  const closing = inner.includes("\n") ? "" : eol + outer;
  const rendered = render(member, { unit, eol, indent: outer + unit });
  return [{ offset: container.offset + 1, length: 0, text: eol + outer + unit + rendered + closing }];
}

interface Place {
  readonly container: JsonNode;
  readonly last: JsonNode;
  readonly member: NewMember;
}

function insertAfter(text: string, { container, last, member }: Place): TextEdit[] {
  const comma = commaAfter(text, last);
  const afterComma = comma === undefined ? endOf(last) : comma + 1;
  const addComma = comma === undefined ? [{ offset: endOf(last), length: 0, text: "," }] : [];
  if (!text.slice(container.offset, endOf(container)).includes("\n")) {
    const compact = ` ${render(member, { unit: "", eol: "", indent: "" })}`;
    return [{ offset: afterComma, length: 0, text: comma === undefined ? `,${compact}` : `${compact},` }];
  }
  const { unit, eol } = layoutOf(text, container);
  const indent = startsItsLine(text, last.offset)
    ? indentAt(text, last.offset)
    : indentAt(text, container.offset) + unit;
  const rendered = eol + indent + render(member, { unit, eol, indent });
  const offset = endOfLineComments(text, afterComma);
  return [{ offset, length: 0, text: comma === undefined ? rendered : `${rendered},` }, ...addComma];
}

interface Layout {
  /** One step of indentation; "" writes everything on one line. */
  readonly unit: string;
  readonly eol: string;
  readonly indent: string;
}

function render({ key, value }: NewMember, { unit, eol, indent }: Layout): string {
  const rendered = JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  return key === undefined ? rendered : `${JSON.stringify(key)}: ${rendered}`;
}

/** The indentation step of the file: that of its first member which stands on a line of its own. */
function layoutOf(text: string, container: JsonNode): { readonly unit: string; readonly eol: string } {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let root = container;
  while (root.parent) root = root.parent;
  const first = root.children?.[0];
  const unit = first && startsItsLine(text, first.offset) ? indentAt(text, first.offset) : "";
  return { eol, unit: unit === "" ? "  " : unit };
}

function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

/** Where the comma behind a member stands; comments may stand before it. */
function commaAfter(text: string, member: JsonNode): number | undefined {
  const between = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  between.lastIndex = endOf(member);
  between.exec(text);
  return text[between.lastIndex] === "," ? between.lastIndex : undefined;
}

/** The end of the comments that follow on the same line; the offset itself when there are none. */
function endOfLineComments(text: string, offset: number): number {
  const comments = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y;
  comments.lastIndex = offset;
  comments.exec(text);
  return comments.lastIndex;
}

/** The blanks before a removed member go with it, unless the rest of its line would join a comment above. */
function startWithBlanks(text: string, offset: number, end: number): number {
  const blanks = /\s*$/.exec(text.slice(0, offset))?.[0] ?? "";
  const endsItsLine = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  return endsItsLine || !blanks.includes("\n") ? offset - blanks.length : offset;
}

function startsItsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}

/** The blanks at the start of the line in which the offset lies. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
