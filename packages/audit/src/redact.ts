import { createHash } from "node:crypto";
import type { AuditFields } from "./audit.ts";
import { secretShapes } from "./secret-shapes.ts";

/** Takes the place of a secret. */
export const redacted = "[redacted]";

export interface RedactOptions {
  readonly secrets?: () => readonly string[];
  readonly textFields?: readonly string[];
}

/** A function that removes secrets from the text of fields, cuts it, and replaces message text by its hash. */
export function createFieldCleaner({ secrets = () => [], textFields = [] }: RedactOptions) {
  return <T extends AuditFields>(fields: T): T => {
    const known = secrets();
    let room = maxEntryCharacters;
    const clean: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== "string") clean[name] = value;
      else if (textFields.includes(name)) Object.assign(clean, hashText(value));
      else {
        const text = redactAndCut(value, known, Math.min(maxFieldCharacters, room));
        clean[name] = text;
        room -= Math.min(room, text.length);
      }
    }
    return clean as T;
  };
}

/** What the log keeps of a message: its length and SHA-256 in UTF-8. */
export function hashText(text: string): { readonly bytes: number; readonly sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}

/** The text with every known secret of at least four characters, and everything shaped like one, replaced. */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  return render(text, secretRanges(text, secrets), text.length);
}

/** Looks a little further than it keeps, so that a secret across the cut is still whole when it is looked for. */
function redactAndCut(text: string, secrets: readonly string[], limit: number): string {
  if (text.length <= limit) return redactSecrets(text, secrets);
  const looked = text.slice(0, limit + lookAhead);
  return `${render(looked, secretRanges(looked, secrets), limit)}[cut: ${text.length} characters]`;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function secretRanges(text: string, secrets: readonly string[]): Range[] {
  const known = spellings(secrets);
  const found = [...knownRanges(text, known), ...shapeRanges(text)];
  if (/[\n\r]|\\[nr]/.test(text)) {
    const joined = joinLines(text);
    const across = [...knownRanges(joined.text, known), ...shapeRanges(joined.text)];
    const origin = (at: number) => joined.origins[at] ?? text.length;
    found.push(...across.map(({ start, end }) => ({ start: origin(start), end: origin(end - 1) + 1 })));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** A secret as it is, without line breaks, and as URLs and JSON spell it. */
function spellings(secrets: readonly string[]): ReadonlySet<string> {
  const long = secrets.filter((secret) => secret.length >= 4);
  return new Set(
    long
      .flatMap((secret) => [
        secret,
        joinLines(secret).text,
        encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\ufffd")),
        JSON.stringify(secret).slice(1, -1),
      ])
      .filter((spelling) => spelling.length >= 4),
  );
}

function knownRanges(text: string, known: ReadonlySet<string>): Range[] {
  const found: Range[] = [];
  for (const secret of known) {
    for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1)) {
      found.push({ start, end: start + secret.length });
    }
  }
  return found;
}

function shapeRanges(text: string): Range[] {
  const found: Range[] = [];
  for (const shape of secretShapes) {
    shape.lastIndex = 0;
    for (let match = shape.exec(text); match; match = shape.exec(text)) {
      const [start, end] = match.indices?.slice(1).find((range) => range !== undefined) ?? [
        match.index,
        match.index + match[0].length,
      ];
      if (end > start) found.push({ start, end });
      // What was taken for a value may end in the next secret's name: look at its last characters again.
      shape.lastIndex = Math.max(match.index + 1, start, end - 64);
    }
  }
  return found;
}

/** The text without line breaks (also written as escapes) and the blanks around them, and where each character was. */
function joinLines(text: string): { readonly text: string; readonly origins: readonly number[] } {
  const origins: number[] = [];
  let joined = "";
  let at = 0;
  const take = (end: number) => {
    joined += text.slice(at, end);
    for (let index = at; index < end; index += 1) origins.push(index);
  };
  for (const { index, 0: gap } of text.matchAll(lineBreak)) {
    take(index);
    at = index + gap.length;
  }
  take(text.length);
  return { text: joined, origins };
}

/** The first `limit` characters of the text, each secret that starts in them replaced whole. */
function render(text: string, ranges: readonly Range[], limit: number): string {
  let result = "";
  let at = 0;
  for (const { start, end } of ranges) {
    if (start >= limit) break;
    if (start >= at) result += text.slice(at, start) + redacted;
    at = Math.max(at, end);
  }
  return result + text.slice(at, Math.max(at, limit));
}

const maxFieldCharacters = 65_536;
const maxEntryCharacters = 4 * maxFieldCharacters;
const lookAhead = 8_192;
const lineBreak = /[ \t]{0,64}(?:\\?\r?\n|\\?\r|\\{1,8}[nr])(?:[ \t]|\\?\r|\\?\n|\\{1,8}[nrt])*/g;
