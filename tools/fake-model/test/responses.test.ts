import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeModel, startFakeModel } from "../src/index.ts";
import { answerOf, post, sseEvents } from "./conversation.ts";

let model: FakeModel;
beforeAll(async () => {
  model = await startFakeModel();
});
afterAll(() => model.close());

const message = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: "input_text", text }],
});
const tools = [
  { type: "function", name: "exec_command", parameters: { type: "object" } },
  { type: "namespace", name: "mcp__subshell", tools: [{ type: "function", name: "session_read" }] },
  { type: "web_search" },
];
const body = (input: unknown, more: object = {}) => ({
  model: "m",
  instructions: "You code.",
  tools,
  input,
  ...more,
});

it("streams text and a call as the Responses API does, numbered in order", async () => {
  const input = [message("user", '[[say two words]][[call exec_command {"cmd":"ls"}]]')];
  const response = await post(model, "/v1/responses", body(input, { stream: true }));
  const events = sseEvents(await response.text());
  events.forEach(({ event, data }, number) => {
    expect(data).toMatchObject({ type: event, sequence_number: number });
  });
  expect(events.map(({ event }) => event)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.at(-1)?.data).toMatchObject({
    response: {
      status: "completed",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "two words" }] },
        {
          type: "function_call",
          name: "exec_command",
          arguments: '{"cmd":"ls"}',
          call_id: expect.any(String),
        },
      ],
      usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
    },
  });
});

it("names a tool of an MCP server by namespace and name", async () => {
  for (const written of ["mcp__subshell/session_read", "mcp__subshell__session_read", "session_read"]) {
    const input = [message("user", `[[call ${written} {}]]`)];
    const { output } = await answerOf(post(model, "/v1/responses", body(input)));
    expect(output).toMatchObject([
      { type: "function_call", namespace: "mcp__subshell", name: "session_read" },
    ]);
  }
  expect(model.requests().at(-1)?.toolNames).toEqual([
    "exec_command",
    "mcp__subshell/session_read",
    "web_search",
  ]);
});

it("goes on after a tool's output and skips what Codex adds by itself", async () => {
  const input = [
    message("developer", "[[say developer]]"),
    message("user", "[[call exec_command {}]][[say after {{result.id}}]]"),
    { type: "function_call", call_id: "call_a", name: "exec_command", arguments: "{}" },
    { type: "function_call_output", call_id: "call_a", output: '{"id":"w1"}' },
    message("user", "<environment_context>[[say context]]</environment_context>"),
  ];
  const { output } = await answerOf(post(model, "/v1/responses", body(input)));
  expect(output).toMatchObject([{ content: [{ text: "after w1" }] }]);
});

it("fails in OpenAI's error shape without a digit in it", async () => {
  const response = await post(model, "/v1/responses", body("[[fail 401]]"));
  expect(response.status).toBe(401);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    error: { type: "invalid_request_error", code: "invalid_api_key" },
  });
  expect(text).not.toMatch(/\d/);
});
