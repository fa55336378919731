import { expect, it } from "vitest";
import { type HarnessId, harnesses } from "../src/index.ts";

it.each<[HarnessId, string, Record<string, string>, string, boolean]>([
  ["codex", "SessionStart", {}, "started", false],
  ["codex", "UserPromptSubmit", {}, "working", true],
  ["codex", "PermissionRequest", { tool_name: "Bash" }, "waiting", false],
  ["codex", "Stop", {}, "done", false],
  ["codex", "Interrupt", {}, "done", false],
  ["opencode", "chat.message", {}, "working", true],
  ["opencode", "session.status", { status_type: "busy" }, "working", false],
  ["opencode", "session.status", { status_type: "retry" }, "working", false],
  ["opencode", "session.status", { status_type: "idle" }, "done", false],
  ["opencode", "permission.asked", {}, "waiting", false],
  ["opencode", "permission.replied", {}, "working", false],
  ["opencode", "session.error", { error: "UnknownError" }, "error", false],
  ["pi", "session_start", {}, "started", false],
  ["pi", "agent_start", {}, "working", true],
  ["pi", "agent_end", { stop_reason: "stop" }, "done", false],
  ["pi", "agent_end", { stop_reason: "aborted" }, "done", false],
  ["pi", "agent_end", { stop_reason: "error" }, "error", false],
  ["pi", "session_shutdown", {}, "ended", false],
])("T-25 %s: %s %j means %s", (id, event, fields, status, turnStarted) => {
  const payload = { session_id: "s1", cwd: "/w", ...fields };
  expect(harnesses[id].readHook(event, payload)).toMatchObject({ status, turnStarted, sessionId: "s1" });
});

it("a plain program reads no event and registers none", () => {
  expect(harnesses.none.readHook("Stop", { session_id: "s1" })).toBeUndefined();
  expect(harnesses.none.hooks).toEqual([]);
});
