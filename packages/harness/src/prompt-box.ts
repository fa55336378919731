import { plainText } from "@agent-control/base";
import type { ScreenSeen } from "./harness.ts";

/** A prompt box between two horizontal rules, the last two of the screen. */
export interface PromptBox {
  /** The sign before the text: "❯", "!" or "" where the box has none. */
  readonly sign: string;
  /** The text as typed, lines joined by LF; a placeholder reads like text. */
  readonly text: string;
  /** Undefined when the screen came without a cursor. */
  readonly cursorAtStart: boolean | undefined;
  /** The lines between the rules as they stand on the screen. */
  readonly inside: readonly string[];
  readonly above: readonly string[];
  readonly footer: readonly string[];
}

const rule = /^─{10,}/;
/** Columns taken by the sign and the blank after it. */
const signWidth = 2;

/** Indexes of the lines that are horizontal rules over the whole width. */
export function rulesOf(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => (rule.test(line) ? [index] : []));
}

/**
 * The box between the last two rules whose first line starts with one of the signs; undefined when another thing
 * stands there. A sign of "" takes a line that starts with a blank or is empty.
 */
export function findPromptBox(screen: ScreenSeen, signs: readonly string[]): PromptBox | undefined {
  const { lines, cursor } = screen;
  const [top, bottom] = rulesOf(lines).slice(-2);
  if (top === undefined || bottom === undefined) return undefined;
  const inside = lines.slice(top + 1, bottom);
  const sign = signs.find((candidate) => startsWithSign(inside[0] ?? "", candidate));
  if (sign === undefined) return undefined;
  const width = sign === "" ? 0 : signWidth;
  return {
    sign,
    text: plainText(inside.map((line) => line.slice(width).trimEnd()).join("\n")).trim(),
    cursorAtStart: cursor && cursor.row === top + 1 && cursor.column === width,
    inside,
    above: lines.slice(0, top),
    footer: lines.slice(bottom + 1),
  };
}

// A person's earlier prompts are shown with the same sign and a plain blank: only the box has the wide one,
// and a line whose end was cut has none.
function startsWithSign(line: string, sign: string): boolean {
  if (sign === "") return true;
  return line === sign || line.startsWith(`${sign}\u00a0`);
}
