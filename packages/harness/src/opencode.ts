import type { Harness } from "./harness.ts";
import { type EventRule, readByRules } from "./hook-payload.ts";
import { readOpencodeScreen } from "./opencode-screen.ts";

// Events of opencode's plugin interface. The status plugin sends their properties as session_id, cwd, tool_name,
// status_type and, of an error, its name as error. It sends no session.idle after a session.error, which opencode
// itself always does, until the next chat.message.
const rules = new Map<string, EventRule>([
  // Comes with the first prompt; before it there is no event at all.
  ["session.created", () => ({ status: "started" })],
  // Comes when a prompt is submitted, also while a turn runs, which takes it up once its answer is complete.
  ["chat.message", () => ({ status: "working", turnStarted: true })],
  ["session.status", (payload) => sessionStatus(payload.text("status_type"))],
  ["tool.execute.before", () => ({ status: "working" })],
  ["tool.execute.after", () => ({ status: "working" })],
  ["permission.asked", () => ({ status: "waiting", detail: "permission" })],
  ["permission.replied", () => ({ status: "working" })],
  ["question.asked", () => ({ status: "waiting", detail: "choice" })],
  ["question.replied", () => ({ status: "working" })],
  ["question.rejected", () => ({ status: "working" })],
  ["session.idle", () => ({ status: "done" })],
  ["session.error", (payload) => sessionError(payload.text("error"))],
  ["session.deleted", () => ({ status: "ended" })],
]);

/** opencode, as measured on 1.18.33; its events come from a plugin. No event says that it ends. */
export const opencode: Harness = {
  id: "opencode",
  title: "opencode",
  programs: ["opencode", "opencode-ai"],
  reportsStatus: true,
  readiness: "screen",
  midTurn: "queued",
  settleMs: 100,
  readyDelayMs: 1_000,
  bracketedPaste: true,
  // A pasted "!" is text; only a typed one opens its shell.
  commandPrefixes: ["/"],
  hooks: [...rules.keys()].map((event) => ({ event, timeoutSeconds: 5 })),
  readScreen: readOpencodeScreen,
  readHook: (event, payload) => readByRules(rules, event, payload),
};

// "retry" repeats for ever on a failing server: the turn is still running. "idle" comes with session.idle.
function sessionStatus(type: string): ReturnType<EventRule> {
  return type === "busy" || type === "retry" ? { status: "working" } : undefined;
}

function sessionError(name: string): ReturnType<EventRule> {
  if (name === "MessageAbortedError") return { status: "done", detail: "interrupted" };
  return { status: "error", detail: name };
}
