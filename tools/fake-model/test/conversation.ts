import type { FakeModel } from "../src/index.ts";
import { fields, list, text } from "../src/json-value.ts";

/** Posts JSON to the fake model. */
export function post(model: FakeModel, path: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(model.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** An Anthropic request with one prompt and, after it, a call and a result for each given result. */
export function anthropicBody(prompt: string, results: readonly string[] = [], more: object = {}) {
  const rounds = results.flatMap((content, index) => [
    { role: "assistant", content: [{ type: "tool_use", id: `toolu_${index}`, name: "t", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${index}`, content }] },
  ]);
  return {
    model: "fake-model",
    max_tokens: 100,
    tools: [{ name: "t", input_schema: { type: "object" } }],
    messages: [{ role: "user", content: prompt }, ...rounds],
    ...more,
  };
}

/** The members of a JSON answer. */
export async function answerOf(response: Response | Promise<Response>): Promise<Record<string, unknown>> {
  return { ...fields(await (await response).json()) };
}

/** The text that a non-streamed Anthropic answer says, or its error message. */
export async function said(model: FakeModel, body: unknown): Promise<string> {
  const { content, error } = await answerOf(post(model, "/v1/messages", body));
  return text(fields(list(content)[0]).text) || text(fields(error).message);
}

/** The events of a server-sent event stream: its `event:` names and parsed `data:`. */
export function sseEvents(stream: string): { event: string | undefined; data: unknown }[] {
  return stream
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? "";
      return { event: /^event: (.*)$/m.exec(frame)?.[1], data: data === "[DONE]" ? data : JSON.parse(data) };
    });
}
