import fc from "fast-check";
import { expect, it } from "vitest";
import { harnesses } from "../src/index.ts";

const { claude } = harnesses;
const session = { session_id: "0f1e-2d3c", cwd: "/home/me/shop", transcript_path: "/t.jsonl" };
const read = (event: string, fields: Record<string, unknown> = {}) =>
  claude.readHook(event, { ...session, hook_event_name: event, ...fields });

it.each([
  ["SessionStart", { source: "startup" }, "started", ""],
  ["SessionStart", { source: "clear" }, "started", ""],
  ["UserPromptSubmit", { prompt: "do it" }, "working", ""],
  ["PreToolUse", { tool_name: "Bash" }, "working", ""],
  ["PostToolUse", { tool_name: "Bash" }, "working", ""],
  ["PostToolUseFailure", { tool_name: "Bash", error: "Exit code 1" }, "working", ""],
  ["PermissionRequest", { tool_name: "Bash" }, "waiting", "permission"],
  ["PermissionRequest", { tool_name: "AskUserQuestion" }, "waiting", "choice"],
  ["Notification", { notification_type: "permission_prompt" }, "waiting", "permission"],
  ["Notification", { notification_type: "idle_prompt" }, "waiting", "idle"],
  ["Elicitation", {}, "waiting", "choice"],
  ["ElicitationResult", {}, "working", ""],
  ["Stop", { last_assistant_message: "the secret is hunter2" }, "done", ""],
  ["StopFailure", { error: "server_error", last_assistant_message: "x" }, "error", "server_error"],
  ["SessionEnd", { reason: "other" }, "ended", ""],
])("T-25 %s %j means %s %s", (event, fields, status, detail) => {
  expect(read(event, fields)).toMatchObject({ status, detail, sessionId: "0f1e-2d3c", cwd: "/home/me/shop" });
});

it("T-25 only an accepted prompt begins a turn", () => {
  const starting = claude.hooks.filter(({ event }) => read(event)?.turnStarted);
  expect(starting.map(({ event }) => event)).toEqual(["UserPromptSubmit"]);
});

it("T-25 every registered event can say something about status", () => {
  const silent = claude.hooks.filter(({ event }) => !read(event, { notification_type: "idle_prompt" }));
  expect(silent).toEqual([]);
});

it("T-25 no text of a message or of a tool's input reaches the reading", () => {
  const secret = "hunter2";
  for (const { event } of claude.hooks) {
    const fields = {
      prompt: secret,
      last_assistant_message: secret,
      tool_input: { command: secret },
      tool_response: secret,
      message: secret,
      notification_type: "permission_prompt",
    };
    expect(JSON.stringify(read(event, fields))).not.toContain(secret);
  }
});

it("T-25 a compaction in the middle of a turn does not restart the session", () => {
  expect(read("SessionStart", { source: "compact" })).toBeUndefined();
});

it("T-42 a subagent's events leave its parent's status alone", () => {
  const fields = { agent_id: "aaaa13b8", agent_type: "general-purpose", tool_name: "Bash" };
  for (const event of ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure"]) {
    expect(read(event, fields)).toBeUndefined();
  }
  expect(read("SubagentStop", fields)).toBeUndefined();
});

it("T-42 a subagent's permission dialog covers the parent's prompt box: waiting", () => {
  const fields = { agent_id: "aaaa13b8", tool_name: "Bash" };
  expect(read("PermissionRequest", fields)).toMatchObject({ status: "waiting", detail: "permission" });
});

it("an unknown event, an unknown notification and a payload without a session say nothing", () => {
  expect(read("PreCompact")).toBeUndefined();
  expect(read("Notification", { notification_type: "auth_success" })).toBeUndefined();
  expect(read("Notification")).toBeUndefined();
  for (const payload of [undefined, null, 7, "Stop", [], {}, { session_id: 7 }, { session_id: " " }]) {
    expect(claude.readHook("Stop", payload)).toBeUndefined();
  }
});

it("control sequences and overlong fields do not get through", () => {
  const reading = read("PreToolUse", {
    session_id: `id\u001b]0;title\u0007${"x".repeat(70_000)}`,
    cwd: "/tmp/a\nb\u202e",
    tool_name: "Ba\u001b[31msh\u0000",
  });
  expect(reading).toMatchObject({ tool: "Bash", cwd: "/tmp/a b" });
  expect(reading?.sessionId).toMatch(/^idx{1,200}$/);
});

it("no event and no payload makes a harness throw", () => {
  const anything = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()));
  const events = fc.oneof(
    fc.string(),
    fc.constantFrom(...claude.hooks.map(({ event }) => event), "__proto__"),
  );
  fc.assert(
    fc.property(events, anything, fc.constantFrom(...Object.values(harnesses)), (event, payload, harness) => {
      harness.readHook(event, payload);
      harness.readHook(event, { ...session, source: payload, tool_name: payload });
    }),
  );
});
