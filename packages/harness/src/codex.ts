import { readCodexScreen } from "./codex-screen.ts";
import type { Harness } from "./harness.ts";
import { type EventRule, readByRules } from "./hook-payload.ts";

const rules = new Map<string, EventRule>([
  // Fires with the first prompt, not when the program is ready.
  ["SessionStart", () => ({ status: "started" })],
  ["UserPromptSubmit", () => ({ status: "working", turnStarted: true })],
  ["PreToolUse", () => ({ status: "working" })],
  ["PostToolUse", () => ({ status: "working" })],
  ["PermissionRequest", () => ({ status: "waiting", detail: "permission" })],
  ["Stop", () => ({ status: "done" })],
  ["Interrupt", () => ({ status: "done", detail: "interrupted" })],
]);

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
  marksIdle: true,
  bracketedPaste: true,
  commandPrefixes: ["/", "!"],
  hooks: [...rules.keys()].map((event) => ({ event, timeoutSeconds: event === "Interrupt" ? 3 : 5 })),
  readScreen: readCodexScreen,
  readHook: (event, payload) => readByRules(rules, event, payload),
};
