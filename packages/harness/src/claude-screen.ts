import { claudeDialog } from "./claude-dialog.ts";
import { isPlaceholder } from "./claude-placeholder.ts";
import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { findPromptBox, type PromptBox } from "./prompt-box.ts";

/** "!" is the box in shell mode: what is pasted there runs as a command. */
const signs = ["❯", "!"];

// "✽ Thinking… (12s · ↓ 20 tokens)" and "✻ … · retrying in 1s · attempt 3/8"; a finished turn is "✻ Baked for 8s".
const activity = /^[·✢✳✶✻✽*] (?:.*…(?: \(|$)|.* · (?:retrying|next try) in )/u;
const spinningTitle = /^[\u2800-\u28ff◐◑◒◓] /u;

/** Reads a screen of Claude Code 2.1.197 to 2.1.332, classic or fullscreen renderer. */
export function readClaudeScreen(screen: ScreenSeen): ScreenReading {
  const box = findPromptBox(screen, signs);
  if (!box) return claudeDialog(screen.lines) ?? { state: "unknown" };
  const search = box.footer.find((line) => /^\s*search prompts:/.test(line));
  if (search) return { state: "dialog", dialog: { kind: "menu", quote: search.trim() } };
  const draft = draftIn(box);
  const text = draft === undefined ? {} : { draft };
  if (isWorking(box, screen.title)) return { state: "working", ...text };
  return { state: draft === undefined ? "idle" : "draft", ...text };
}

function draftIn(box: PromptBox): string | undefined {
  if (box.sign === "!") return `!${box.text}`;
  return box.text === "" || isPlaceholder(box) ? undefined : box.text;
}

// The footer drops its "esc to interrupt" while text stands in the box; the line above the box stays.
function isWorking(box: PromptBox, title: string): boolean {
  return (
    box.footer.some((line) => line.includes("esc to interrupt")) ||
    activity.test(lastUnindented(box.above)) ||
    spinningTitle.test(title)
  );
}

// Tips, queued prompts, tasks and hints between the activity line and the box are indented or start with "❯".
function lastUnindented(lines: readonly string[]): string {
  return lines.findLast((line) => /^[^\s❯]/u.test(line)) ?? "";
}
