/** A part of a text, from one index up to another, and what comes in its place. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/** The text after edits that do not overlap; an insertion comes before what is cut at the same place. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.from - a.from || b.to - a.to);
  return lastFirst.reduce(
    (edited, { from, to, put }) => edited.slice(0, from) + put + edited.slice(to),
    text,
  );
}

/** The index where the line of a character starts. */
export function lineStart(text: string, index: number): number {
  return text.lastIndexOf("\n", index - 1) + 1;
}

/** The index after the line of a character, its line feed included; the end of the text for the last one. */
export function lineEnd(text: string, index: number): number {
  const feed = text.indexOf("\n", index);
  return feed === -1 ? text.length : feed + 1;
}

/** Whether only spaces stand before a character in its line. */
export function isFirstInLine(text: string, index: number): boolean {
  return text.slice(lineStart(text, index), index).trim() === "";
}

/** How the text ends its lines. */
export function lineBreak(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
