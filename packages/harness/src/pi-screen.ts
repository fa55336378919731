import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { findPromptBox } from "./prompt-box.ts";
import { filledLines } from "./screen-lines.ts";

const activity = /^\s*[\u2800-\u28ff] Working\.\.\./u;
/** How far above the box the activity line stands at most, in filled lines. */
const activityReach = 6;

/** Reads a screen of Pi 0.73: text between two rules, a spinner above them while it works. */
export function readPiScreen(screen: ScreenSeen): ScreenReading {
  const box = findPromptBox(screen, [""]);
  if (!box) return { state: "unknown" };
  const text = box.text === "" ? {} : { draft: box.text };
  const working = filledLines(box.above)
    .slice(-activityReach)
    .some((line) => activity.test(line));
  if (working) return { state: "working", ...text };
  return { state: box.text === "" ? "idle" : "draft", ...text };
}
