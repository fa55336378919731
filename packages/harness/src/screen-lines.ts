import { plainText } from "@agent-control/base";

const quoteLimit = 200;

/** The lines that hold something. */
export function filledLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== "");
}

/** Screen text as one plain line of at most 200 characters, so that no wrap hides a marker. */
export function oneLine(text: string): string {
  const line = joined([text]);
  return line.length > quoteLimit ? `${line.slice(0, quoteLimit - 1)}…` : line;
}

/** Lines joined into one, blanks collapsed: wrapped sentences read as they were written. */
export function joined(lines: readonly string[]): string {
  return plainText(lines.join(" ")).replace(/\s+/g, " ").trim();
}
