import type { Harness } from "./harness.ts";
import { type EventRule, readByRules } from "./hook-payload.ts";
import { readPiScreen } from "./pi-screen.ts";

// Events of Pi's extension interface; the status extension sends session_id, cwd, tool_name, stop_reason and, of a
// message, its role.
const rules = new Map<string, EventRule>([
  ["session_start", () => ({ status: "started" })],
  // Also every attempt to repeat a failed request.
  ["agent_start", () => ({ status: "working" })],
  // A person's prompt is taken: at once, or in a running turn once its answer or tool call is complete.
  ["message_start", (payload) => messageStart(payload.text("role"))],
  ["tool_execution_start", () => ({ status: "working" })],
  ["tool_execution_end", () => ({ status: "working" })],
  // After an error that may pass, agent_start follows within seconds; the screen shows that meanwhile.
  ["agent_end", (payload) => agentEnd(payload.text("stop_reason"))],
  ["session_shutdown", () => ({ status: "ended" })],
]);

/** Pi, as measured on 0.73.1; its events come from an extension. It asks for no permissions. */
export const pi: Harness = {
  id: "pi",
  title: "Pi",
  programs: ["pi", "pi-coding-agent"],
  reportsStatus: true,
  readiness: "hook",
  midTurn: "steered",
  settleMs: 100,
  readyDelayMs: 0,
  bracketedPaste: true,
  commandPrefixes: ["/", "!"],
  hooks: [...rules.keys()].map((event) => ({ event, timeoutSeconds: 5 })),
  readScreen: readPiScreen,
  readHook: (event, payload) => readByRules(rules, event, payload),
};

function messageStart(role: string): ReturnType<EventRule> {
  return role === "user" ? { status: "working", turnStarted: true } : undefined;
}

function agentEnd(stopReason: string): ReturnType<EventRule> {
  if (stopReason === "error") return { status: "error", detail: "the model request failed" };
  return { status: "done", detail: stopReason === "aborted" ? "interrupted" : "" };
}
