import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeModel, startFakeModel } from "../src/index.ts";
import { fields, list } from "../src/json-value.ts";
import { answerOf, anthropicBody, post, said, sseEvents } from "./conversation.ts";

let model: FakeModel;
beforeAll(async () => {
  model = await startFakeModel();
});
afterAll(() => model.close());

it("streams text and a call as the Messages API does", async () => {
  const body = anthropicBody('[[say two words]][[call t {"a":[1]}]]', [], { stream: true });
  const response = await post(model, "/v1/messages?beta=true", body);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = sseEvents(await response.text());
  for (const { event, data } of events) expect(data).toMatchObject({ type: event });
  expect(events.map(({ data }) => data)).toMatchObject([
    {
      type: "message_start",
      message: { role: "assistant", model: "fake-model", content: [], stop_reason: null },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "two" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " words" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", name: "t", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":[1]}' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ]);
});

it("answers without a stream as one message", async () => {
  const message = await answerOf(post(model, "/v1/messages", anthropicBody("[[calls t {} | t {}]]")));
  expect(message).toMatchObject({ type: "message", role: "assistant", stop_reason: "tool_use" });
  expect(message.content).toMatchObject([
    { type: "tool_use", name: "t" },
    { type: "tool_use", name: "t" },
  ]);
  const ids = list(message.content).map((block) => fields(block).id);
  expect(new Set(ids).size).toBe(2);
});

it("finds the prompt among reminders, results and messages of the role system", async () => {
  const text = (written: string) => ({ type: "text", text: written });
  const reminder = text("<system-reminder>[[say reminder]]</system-reminder>");
  const messages = [
    { role: "user", content: [reminder, text("[[call t {}]] [[say after {{result.id}}]]"), reminder] },
    { role: "system", content: [text("[[say system]]")] },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_a", name: "t", input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_a", content: [text('{"id":"w1"}'), reminder] },
        reminder,
      ],
    },
  ];
  expect(await said(model, anthropicBody("", [], { messages }))).toBe("after w1");
});

it("takes each text block of a message for a prompt of its own", async () => {
  const content = ["[[say interrupted]]", "[Request interrupted by user]", "[[say next]]"].map((text) => ({
    type: "text",
    text,
  }));
  expect(await said(model, anthropicBody("", [], { messages: [{ role: "user", content }] }))).toBe("next");
});

it("fails in Anthropic's error shape without a digit in it", async () => {
  const response = await post(model, "/v1/messages", anthropicBody("[[fail 529]]"));
  expect(response.status).toBe(529);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
  expect(text + response.headers.get("request-id")).not.toMatch(/\d/);
});

it("counts tokens, lists models and answers the probe of the root", async () => {
  const count = await post(model, "/v1/messages/count_tokens?beta=true", anthropicBody("hello"));
  expect(await count.json()).toEqual({ input_tokens: expect.any(Number) });
  const models = await answerOf(fetch(`${model.url}/v1/models`));
  expect(models.data).toMatchObject([{ id: "fake-model", type: "model" }]);
  expect((await fetch(`${model.url}/`, { method: "HEAD" })).status).toBe(200);
});
