import { plainText } from "@agent-control/base";
import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { opencodeDialog, opencodeMenu } from "./opencode-dialog.ts";

/** The prompt box hangs on a bar at its left and ends with this line; the conversation has the bar, too. */
const boxEnd = /^( *)╹(▀{10,})/u;
const bar = "┃";
/** Blanks between the bar and the text. */
const indent = 3;
const placeholder = /^Ask anything… "/u;
const shellMode = "Shell";

// The moving bar, "esc interrupt" and "esc again to interrupt"; a narrow footer wraps the words.
const activity = /[⬝■]{4,}|\besc (?:again to )?interrupt\b/u;

interface Box {
  /** Row of the first line of text. */
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** The line below the text: the agent and its model, or "Shell". */
  readonly mode: string;
  readonly end: number;
}

/** Reads a screen of opencode 1.18. */
export function readOpencodeScreen(screen: ScreenSeen): ScreenReading {
  const box = boxOf(screen.lines);
  if (!box) return opencodeDialog(screen.lines) ?? { state: "unknown" };
  const menu = opencodeMenu(screen, box);
  if (menu) return menu;
  const draft = draftIn(box, screen.cursor);
  const text = draft === undefined ? {} : { draft };
  if (screen.lines.slice(box.end + 1).some((line) => activity.test(line)))
    return { state: "working", ...text };
  return { state: draft === undefined ? "idle" : "draft", ...text };
}

// A box that an answer draws has lines with the bar below it: those of the real one or of a dialog.
function boxOf(lines: readonly string[]): Box | undefined {
  const end = lines.findLastIndex((line) => boxEnd.test(line) || line.trimStart().startsWith(bar));
  const [, blanks = "", edge = ""] = boxEnd.exec(lines[end] ?? "") ?? [];
  if (edge === "") return undefined;
  const column = blanks.length;
  const inside = (line: string) => line.slice(column + 1, column + 1 + edge.length).trimEnd();
  const above = lines.slice(0, end);
  const start = above.findLastIndex((line) => line[column] !== bar || isListRow(inside(line))) + 1;
  const rows = above.slice(start).map(inside);
  return {
    row: start + 1,
    column: column + indent,
    text: plainText(
      rows
        .slice(0, -1)
        .map((row) => row.slice(indent - 1))
        .join("\n"),
    ).trim(),
    mode: (rows.at(-1) ?? "").trim(),
    end,
  };
}

/** A row of the completions that open above the box. */
function isListRow(row: string): boolean {
  return row.endsWith(bar);
}

function draftIn({ text, mode, row, column }: Box, cursor: ScreenSeen["cursor"]): string | undefined {
  const atStart = cursor === undefined || (cursor.row === row && cursor.column === column);
  if (mode === shellMode) return `!${placeholder.test(text) ? "" : text}`;
  return text === "" || (placeholder.test(text) && atStart) ? undefined : text;
}
