import { plainText } from "@agent-control/base";
import { codexDialog } from "./codex-dialog.ts";
import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { filledLines } from "./screen-lines.ts";

const boxStart = /^[›!](?: |$)/u;
/** Columns taken by the sign and the blank after it. */
const signWidth = 2;
const placeholder = "Ask Codex to do anything";
// Shown below the box only while it is empty.
const emptyBoxHints = /← for agents|\? for shortcuts|\? \/ esc close/u;

/** While an answer streams in, the spinner of the title is the only sign of work. */
const spinningTitle = /^[\u2800-\u28ff] /u;
const activity = /^[•◦] .*\besc to interrupt\)$/u;
const queueHeading = /^• Messages to be submitted /u;

/** A prompt box: the last line that starts with its sign, down to the empty line above the footer. */
interface Box {
  readonly shell: boolean;
  readonly text: string;
  readonly cursorAtStart: boolean | undefined;
  readonly above: readonly string[];
  readonly footer: string;
}

/** Reads a screen of Codex 0.171. */
export function readCodexScreen(screen: ScreenSeen): ScreenReading {
  const dialog = codexDialog(screen.lines);
  if (dialog) return dialog;
  const box = boxOf(screen);
  if (!box) return { state: "unknown" };
  const draft = draftIn(box);
  const text = draft === undefined ? {} : { draft };
  if (spinningTitle.test(screen.title) || isActive(box.above)) return { state: "working", ...text };
  return { state: draft === undefined ? "idle" : "draft", ...text };
}

function boxOf({ lines, cursor }: ScreenSeen): Box | undefined {
  const top = lines.findLastIndex((line) => boxStart.test(line));
  if (top < 0) return undefined;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const gap = lines.findLastIndex((line, index) => index > top && index < last && line.trim() === "");
  const inside = lines.slice(top, gap < 0 ? undefined : gap);
  return {
    shell: lines[top]?.startsWith("!") === true,
    text: plainText(inside.map((line) => line.slice(signWidth).trimEnd()).join("\n")).trim(),
    cursorAtStart: cursor && cursor.row === top && cursor.column === signWidth,
    above: lines.slice(0, top),
    footer: gap < 0 ? "" : lines.slice(gap + 1).join("\n"),
  };
}

// The placeholder reads like text, but the cursor stands before it and the footer shows the hints of an empty box.
function draftIn({ shell, text, cursorAtStart, footer }: Box): string | undefined {
  if (shell) return `!${text}`;
  if (text === "" || (text === placeholder && cursorAtStart !== false)) return undefined;
  return cursorAtStart === true && emptyBoxHints.test(footer) ? undefined : text;
}

// What a turn leaves above the box ends with an indented "Worked for 8s".
function isActive(above: readonly string[]): boolean {
  const filled = filledLines(above);
  const last = filled.findLastIndex((line) => !/^\s/.test(line) && !queueHeading.test(line));
  if (!activity.test(filled[last] ?? "")) return false;
  return !filled.slice(last + 1).some((line) => /^ {2}Worked for /.test(line));
}
