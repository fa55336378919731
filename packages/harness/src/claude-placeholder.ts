import type { PromptBox } from "./prompt-box.ts";

// Shown in the footer only while the box is empty.
const emptyBoxHints = /\? for shortcuts|← for ag|esc to interrupt|\/tasks to see/;
// Modes whose footer never shows the shortcuts hint, so that its absence says nothing.
const modeWithoutHint = /\(shift\+tab to cycle\)/;
const knownPlaceholders =
  /^(?:Try ".*"|Press (?:up|Enter) to .*|Message @.*…|Resend your message to try again|Taking your message back…)$/u;

/**
 * Whether the text in the box is Claude Code's own: an example, a hint, or a suggested next prompt. They look like
 * a draft in plain text, but the cursor stands before them and the footer shows the hints of an empty box.
 */
export function isPlaceholder({ text, cursorAtStart, footer }: PromptBox): boolean {
  if (cursorAtStart === false || text.includes("\n")) return false;
  const below = footer.join("\n");
  if (emptyBoxHints.test(below) || knownPlaceholders.test(text)) return true;
  return cursorAtStart === true && modeWithoutHint.test(below);
}
