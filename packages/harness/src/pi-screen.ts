import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { findPromptBox } from "./prompt-box.ts";
import { filledLines, oneLine } from "./screen-lines.ts";

// " ⠙ Working..." and " ⠼ Retrying (1/3) in 2s..."; an answer is indented as well, but has no spinner.
const activity = /^ [\u2800-\u28ff] \S/u;
const selectedRow = /^ ?[→›] /u;
const searchField = /^>( |$)/;
const keys = /\besc(?:ape)?\b.* (?:cancel|close|back)$|^ *\(\d+\/\d+\)$/i;

/** Reads a screen of Pi 0.73: text between two rules, a spinner above them while it works. */
export function readPiScreen(screen: ScreenSeen): ScreenReading {
  const box = findPromptBox(screen, [""]);
  if (!box) return { state: "unknown" };
  const menu = menuIn(box.inside);
  if (menu) return menu;
  const text = box.text === "" ? {} : { draft: box.text };
  if (activity.test(filledLines(box.above).at(-1) ?? "")) return { state: "working", ...text };
  return { state: box.text === "" ? "idle" : "draft", ...text };
}

// A menu stands between the same rules. It opens with an empty line or a search field, or ends with its keys, and one
// of its rows is marked.
function menuIn(inside: readonly string[]): ScreenReading | undefined {
  const rows = filledLines(inside);
  if (!rows.some((row) => selectedRow.test(row))) return undefined;
  const opensAsMenu = inside[0]?.trim() === "" || searchField.test(inside[0] ?? "");
  if (!opensAsMenu && !keys.test(rows.at(-1) ?? "")) return undefined;
  const heading = rows.find((row) => !searchField.test(row)) ?? "";
  return { state: "dialog", dialog: { kind: "menu", quote: oneLine(heading) } };
}
