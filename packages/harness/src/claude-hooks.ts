import type { HookPoint, HookReading } from "./harness.ts";
import { type EventRule, type HookPayload, isSubagent, readByRules } from "./hook-payload.ts";

const working: EventRule = (payload) => (isSubagent(payload) ? undefined : { status: "working" });

// A subagent's events carry its agent_id: they leave its session's status alone, except that its permission
// dialog covers the session's prompt box.
const rules = new Map<string, EventRule>([
  // A compaction in the middle of a turn starts the session once more.
  ["SessionStart", (payload) => (payload.text("source") === "compact" ? undefined : { status: "started" })],
  ["UserPromptSubmit", () => ({ status: "working", turnStarted: true })],
  ["PreToolUse", working],
  ["PostToolUse", working],
  ["PostToolUseFailure", working],
  [
    "PermissionRequest",
    ({ tool }) => ({ status: "waiting", detail: questionTools.has(tool) ? "choice" : "permission" }),
  ],
  ["Notification", notification],
  ["Elicitation", () => ({ status: "waiting", detail: "choice" })],
  ["ElicitationResult", working],
  ["Stop", (payload) => (isSubagent(payload) ? undefined : { status: "done" })],
  [
    "StopFailure",
    (payload) => (isSubagent(payload) ? undefined : { status: "error", detail: payload.text("error") }),
  ],
  ["SessionEnd", () => ({ status: "ended" })],
]);

/** Tools that ask the person something and report it as a permission request. */
const questionTools = new Set(["AskUserQuestion"]);

/** The events to register; SessionEnd has less time because the program is leaving. */
export const claudeHooks: readonly HookPoint[] = [...rules.keys()].map((event) => ({
  event,
  timeoutSeconds: event === "SessionEnd" ? 3 : 5,
}));

/** Reads a hook event of Claude Code; its keys as measured on 2.1.332. */
export function readClaudeHook(event: string, payload: unknown): HookReading | undefined {
  return readByRules(rules, event, payload);
}

// permission_prompt comes 6 s after PermissionRequest, idle_prompt a minute after the turn or its interruption.
function notification(payload: HookPayload): ReturnType<EventRule> {
  switch (payload.text("notification_type")) {
    case "permission_prompt":
      return { status: "waiting", detail: "permission" };
    case "idle_prompt":
      return { status: "waiting", detail: "idle" };
    default:
      return undefined;
  }
}
