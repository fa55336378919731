import type { ScreenReading, ScreenSeen } from "./harness.ts";
import { filledLines, oneLine } from "./screen-lines.ts";

const interruptHint = /\besc (?:again to )?interrupt\b/;
const retrying = /\[retrying in .* attempt #\d+\]/;
const permission = /△ Permission required/u;
/** Lines of the footer and of the lines just above the box. */
const footerReach = 3;
const retryReach = 12;

/**
 * Reads a screen of opencode 1.18. After a turn it shows no marker of its own for idle: then `unknown`, and the
 * plugin's events tell.
 */
export function readOpencodeScreen({ lines }: ScreenSeen): ScreenReading {
  const filled = filledLines(lines);
  const asked = filled.findLast((line) => permission.test(line));
  if (
    asked !== undefined &&
    filled.slice(-retryReach).some((line) => /Allow once\s+Allow always\s+Reject/.test(line))
  )
    return { state: "dialog", dialog: { kind: "permission", quote: oneLine(asked) } };
  if (filled.slice(-footerReach).some((line) => interruptHint.test(line))) return { state: "working" };
  if (filled.slice(-retryReach).some((line) => retrying.test(line))) return { state: "working" };
  return { state: filled.some((line) => line.includes("Ask anything…")) ? "idle" : "unknown" };
}
