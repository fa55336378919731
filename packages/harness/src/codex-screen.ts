import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { filledLines, joined, oneLine } from "./screen-lines.ts";

const confirmHint = /press enter to (?:confirm|continue)/i;
const question = /(?:Would you like to [^?]*\?|Allow the .+? MCP server to run tool[^?]*\?)/;
const activity = /^\s*[•◦] .*\besc to interrupt\)/u;
const boxSign = "› ";
const placeholder = "Ask Codex to do anything";
/** How far above the box the activity line stands at most, in filled lines. */
const activityReach = 6;

/** Reads a screen of Codex 0.171: the last line that starts with "›" is its prompt box. */
export function readCodexScreen(screen: ScreenSeen): ScreenReading {
  const { lines } = screen;
  const dialog = dialogOf(lines);
  if (dialog) return dialog;
  const box = lines.findLastIndex((line) => line.startsWith(boxSign.trimEnd()));
  if (box < 0) return { state: "unknown" };
  const draft = draftAt(screen, box);
  const text = draft === undefined ? {} : { draft };
  const above = filledLines(lines.slice(0, box)).slice(-activityReach);
  if (above.some((line) => activity.test(line))) return { state: "working", ...text };
  return { state: draft === undefined ? "idle" : "draft", ...text };
}

function dialogOf(lines: readonly string[]): ScreenReading | undefined {
  const region = filledLines(lines).slice(-20);
  const text = joined(region);
  if (/Hooks need review/.test(text)) return startup("Hooks need review");
  if (/Trust this folder\?/.test(text)) return startup("Trust this folder?");
  if (!confirmHint.test(joined(region.slice(-2)))) return undefined;
  const asked = question.exec(text)?.[0];
  if (asked === undefined)
    return { state: "dialog", dialog: { kind: "menu", quote: oneLine(region[0] ?? "") } };
  return { state: "dialog", dialog: { kind: "permission", quote: oneLine(asked) } };
}

function startup(quote: string): ScreenReading {
  return { state: "startup", dialog: { kind: "trust", quote } };
}

// The box ends at the first empty line. An example text stands after the cursor, a draft before it.
function draftAt({ lines, cursor }: ScreenSeen, box: number): string | undefined {
  const end = lines.findIndex((line, index) => index > box && line.trim() === "");
  const inside = lines.slice(box, end < 0 ? undefined : end);
  const text = inside
    .map((line) => line.slice(boxSign.length))
    .join("\n")
    .trim();
  const atStart = cursor && cursor.row === box && cursor.column === boxSign.length;
  if (text === "" || atStart === true) return undefined;
  return text === placeholder && atStart === undefined ? undefined : text;
}
