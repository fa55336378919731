import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeModel, startFakeModel } from "../src/index.ts";
import { answerOf, post, sseEvents } from "./conversation.ts";

let model: FakeModel;
beforeAll(async () => {
  model = await startFakeModel();
});
afterAll(() => model.close());

const tools = [{ type: "function", function: { name: "tongs_send", parameters: { type: "object" } } }];
const body = (messages: unknown, more: object = {}) => ({ model: "m", tools, messages, ...more });
const user = (content: unknown) => ({ role: "user", content });

it("streams text and calls as chunks, then the usage, then [DONE]", async () => {
  const messages = [user('[[say two words]][[calls send {"a":1} | other {}]]')];
  const response = await post(model, "/v1/chat/completions", body(messages, { stream: true }));
  const data = sseEvents(await response.text()).map((each) => each.data);
  const delta = (value: object) => ({ object: "chat.completion.chunk", choices: [{ delta: value }] });
  const called = (index: number, name: string, input: string) =>
    delta({ tool_calls: [{ index, type: "function", function: { name, arguments: input } }] });
  expect(data).toMatchObject([
    delta({ role: "assistant" }),
    delta({ content: "two" }),
    delta({ content: " words" }),
    called(0, "tongs_send", '{"a":1}'),
    called(1, "other", "{}"),
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
    "[DONE]",
  ]);
});

it("answers without a stream, after the tool messages since the prompt", async () => {
  const messages = [
    { role: "system", content: "You code." },
    user([{ type: "text", text: "[[call send {}]][[say after {{result.id}}]]" }]),
    { role: "assistant", content: null, tool_calls: [{ id: "call_a", function: { name: "tongs_send" } }] },
    { role: "tool", tool_call_id: "call_a", content: '{"id":"w1"}' },
  ];
  const answer = await answerOf(post(model, "/v1/chat/completions", body(messages)));
  expect(answer.choices).toMatchObject([
    { message: { role: "assistant", content: "after w1" }, finish_reason: "stop" },
  ]);
  expect(model.requests().at(-1)).toMatchObject({
    dialect: "chat",
    system: "You code.",
    toolNames: ["tongs_send"],
  });
});

it("fails in OpenAI's error shape without a digit in it", async () => {
  const response = await post(model, "/v1/chat/completions", body([user("[[fail 429]]")]));
  expect(response.status).toBe(429);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  expect(text).not.toMatch(/\d/);
});
