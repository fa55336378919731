import { readCodexScreen } from "./codex-screen.ts";
import type { Harness } from "./harness.ts";
import { type EventMeaning, type EventRule, isSubagent, readByRules } from "./hook-payload.ts";

// A subagent's events carry its agent_id: only its permission dialog, which covers the prompt box, counts.
const rules = new Map<string, EventRule>([
  // Comes with the first prompt, not when the program is ready.
  ["SessionStart", ofSession({ status: "started" })],
  // A prompt that joins a running turn has this event, too, once it is taken; the turn ends with one Stop.
  ["UserPromptSubmit", ofSession({ status: "working", turnStarted: true })],
  ["PreToolUse", ofSession({ status: "working" })],
  ["PostToolUse", ofSession({ status: "working" })],
  ["PermissionRequest", () => ({ status: "waiting", detail: "permission" })],
  // None comes after a failed request: then the screen alone tells that the turn is over.
  ["Stop", ofSession({ status: "done" })],
  // Escape, also on a permission dialog.
  ["Interrupt", ofSession({ status: "done", detail: "interrupted" })],
  ["SessionEnd", ofSession({ status: "ended" })],
]);

/** Codex clamps the time of the first to 3 s; with the second the program is leaving. */
const hurried = new Set(["Interrupt", "SessionEnd"]);

/** Codex, as measured on 0.171.0; its hooks run only once they are trusted. */
export const codex: Harness = {
  id: "codex",
  title: "Codex",
  programs: ["codex"],
  reportsStatus: true,
  readiness: "screen",
  midTurn: "interrupted",
  settleMs: 100,
  readyDelayMs: 0,
  bracketedPaste: true,
  commandPrefixes: ["/", "!"],
  hooks: [...rules.keys()].map((event) => ({ event, timeoutSeconds: hurried.has(event) ? 3 : 5 })),
  readScreen: readCodexScreen,
  readHook: (event, payload) => readByRules(rules, event, payload),
};

function ofSession(meaning: EventMeaning): EventRule {
  return (payload) => (isSubagent(payload) ? undefined : meaning);
}
