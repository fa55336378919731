import type { Harness } from "./harness.ts";
import { type EventRule, readByRules } from "./hook-payload.ts";
import { readOpencodeScreen } from "./opencode-screen.ts";

// Events of opencode's plugin interface; the status plugin sends their properties as session_id, cwd, tool_name,
// status_type and error.
const rules = new Map<string, EventRule>([
  ["session.created", () => ({ status: "started" })],
  ["chat.message", () => ({ status: "working", turnStarted: true })],
  ["session.status", (payload) => sessionStatus(payload.text("status_type"))],
  ["tool.execute.before", () => ({ status: "working" })],
  ["tool.execute.after", () => ({ status: "working" })],
  ["permission.asked", () => ({ status: "waiting", detail: "permission" })],
  ["permission.replied", () => ({ status: "working" })],
  ["session.idle", () => ({ status: "done" })],
  ["session.error", (payload) => ({ status: "error", detail: payload.text("error") })],
  ["session.deleted", () => ({ status: "ended" })],
]);

/** opencode, as measured on 1.18.33; its events come from a plugin. */
export const opencode: Harness = {
  id: "opencode",
  title: "opencode",
  programs: ["opencode", "opencode-ai"],
  reportsStatus: true,
  readiness: "hook",
  midTurn: "queued",
  settleMs: 100,
  readyDelayMs: 1_000,
  marksIdle: false,
  bracketedPaste: true,
  commandPrefixes: ["/", "!"],
  hooks: [...rules.keys()].map((event) => ({ event, timeoutSeconds: 5 })),
  readScreen: readOpencodeScreen,
  readHook: (event, payload) => readByRules(rules, event, payload),
};

// "retry" repeats for ever on a failing server: the turn is still running.
function sessionStatus(type: string): ReturnType<EventRule> {
  if (type === "busy" || type === "retry") return { status: "working" };
  return type === "idle" ? { status: "done" } : undefined;
}
