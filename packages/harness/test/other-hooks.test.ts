import { expect, it } from "vitest";
import { type HarnessId, harnesses } from "../src/index.ts";

type Reported = [HarnessId, string, Record<string, string>, string, string, boolean];

// Events and their fields as Codex 0.171.0, opencode 1.18.33 and Pi 0.73.1 sent them.
const reported: Reported[] = [
  ["codex", "SessionStart", { source: "startup" }, "started", "", false],
  ["codex", "UserPromptSubmit", { prompt: "do it", turn_id: "t1" }, "working", "", true],
  ["codex", "PreToolUse", { tool_name: "Bash" }, "working", "", false],
  ["codex", "PermissionRequest", { tool_name: "mcp__probe__poke" }, "waiting", "permission", false],
  ["codex", "PostToolUse", { tool_name: "Bash" }, "working", "", false],
  ["codex", "Stop", { last_assistant_message: "done" }, "done", "", false],
  ["codex", "Interrupt", { turn_id: "t1" }, "done", "interrupted", false],
  ["codex", "SessionEnd", { reason: "other" }, "ended", "", false],
  ["opencode", "session.created", {}, "started", "", false],
  ["opencode", "chat.message", {}, "working", "", true],
  ["opencode", "session.status", { status_type: "busy" }, "working", "", false],
  ["opencode", "session.status", { status_type: "retry" }, "working", "", false],
  ["opencode", "tool.execute.before", { tool_name: "bash" }, "working", "", false],
  ["opencode", "permission.asked", {}, "waiting", "permission", false],
  ["opencode", "permission.replied", {}, "working", "", false],
  ["opencode", "question.asked", {}, "waiting", "choice", false],
  ["opencode", "question.replied", {}, "working", "", false],
  ["opencode", "session.idle", {}, "done", "", false],
  ["opencode", "session.error", { error: "APIError" }, "error", "APIError", false],
  ["opencode", "session.error", { error: "MessageAbortedError" }, "done", "interrupted", false],
  ["pi", "session_start", {}, "started", "", false],
  ["pi", "agent_start", {}, "working", "", false],
  ["pi", "message_start", { role: "user" }, "working", "", true],
  ["pi", "tool_execution_start", { tool_name: "bash" }, "working", "", false],
  ["pi", "agent_end", { stop_reason: "stop" }, "done", "", false],
  ["pi", "agent_end", { stop_reason: "aborted" }, "done", "interrupted", false],
  ["pi", "agent_end", { stop_reason: "error" }, "error", "the model request failed", false],
  ["pi", "session_shutdown", {}, "ended", "", false],
];

it.each(reported)("T-25 %s: %s %j means %s %s", (id, event, fields, status, detail, turnStarted) => {
  const payload = { session_id: "s1", cwd: "/w", ...fields };
  expect(harnesses[id].readHook(event, payload)).toMatchObject({ status, detail, turnStarted });
});

it.each<[HarnessId, string, Record<string, string>]>([
  ["opencode", "session.status", { status_type: "idle" }],
  ["pi", "message_start", { role: "assistant" }],
  ["pi", "message_start", { role: "toolResult" }],
])("T-25 %s: %s %j says nothing by itself", (id, event, fields) => {
  expect(harnesses[id].readHook(event, { session_id: "s1", ...fields })).toBeUndefined();
});

it("T-42 a subagent of Codex, which reports under its parent's session, changes nothing but by a permission dialog", () => {
  const fields = { session_id: "s1", agent_id: "01a2", agent_type: "default", tool_name: "Bash" };
  const changing = harnesses.codex.hooks.filter(({ event }) => harnesses.codex.readHook(event, fields));
  expect(changing.map(({ event }) => event)).toEqual(["PermissionRequest"]);
});

it("T-25 a repeated request of Pi is no new turn", () => {
  expect(harnesses.pi.readHook("agent_start", { session_id: "s1" })?.turnStarted).toBe(false);
});
