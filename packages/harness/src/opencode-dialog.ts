import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { filledLines, joined, oneLine } from "./screen-lines.ts";

const permission = "△ Permission required";
const answers = /Allow once\s+Allow always\s+Reject/;
const questionKeys = /\besc\b.*\bdismiss\b/;
/** "   Select model                    esc", over whatever stands beside it. */
const menuTitle = / {3,}(\S+(?: \S+)*) {8,}esc\s*$/;

/** The dialog in the prompt box's place: opencode draws it at the end of the screen, on the bar of the box. */
export function opencodeDialog(lines: readonly string[]): ScreenReading | undefined {
  const text = filledLines(lines.map((line) => line.replace(/^ *┃/u, "").trimEnd()));
  const asked = text.findLastIndex((line) => line.trim() === permission);
  if (asked >= 0 && answers.test(joined(text.slice(asked)))) {
    return dialog("permission", `Permission required: ${(text[asked + 1] ?? "").replace(/^\W+/, "")}`);
  }
  if (!questionKeys.test(joined(text.slice(-2)))) return undefined;
  return dialog("choice", text.findLast((line) => line.trimEnd().endsWith("?")) ?? text.at(-1) ?? "");
}

/** The menu that lies over the screen: it has a title with "esc" at its end, and the cursor is not in the box. */
export function opencodeMenu(
  { lines, cursor }: ScreenSeen,
  box: { readonly row: number; readonly end: number },
): ScreenReading | undefined {
  if (cursor && cursor.row >= box.row && cursor.row < box.end) return undefined;
  const title = lines.map((line) => menuTitle.exec(line)?.[1]).find((found) => found !== undefined);
  return title === undefined ? undefined : dialog("menu", title);
}

function dialog(kind: "permission" | "choice" | "menu", quote: string): ScreenReading {
  return { state: "dialog", dialog: { kind, quote: oneLine(quote) } };
}
