import { type Dialect, header, newId, textPieces, usage } from "./dialect.ts";
import { fields, list, text } from "./json-value.ts";
import { openaiError } from "./openai-error.ts";
import type { Answer } from "./script.ts";
import { contentText, contentTexts, type Turn, turn } from "./turns.ts";

/** OpenAI's chat completions API: `POST /v1/chat/completions`. */
export const chatCompletions: Dialect = {
  name: "chat",
  readConversation(body, headers) {
    const request = fields(body);
    const messages = list(request.messages).map(fields);
    return {
      system: messages
        .filter(isSystem)
        .map(({ content }) => contentText(content))
        .join("\n"),
      turns: messages.flatMap(messageTurns),
      tools: list(request.tools).map((tool) => text(fields(fields(tool).function).name)),
      session: header(headers, "x-session-affinity") ?? (text(request.prompt_cache_key) || undefined),
      model: text(request.model),
      stream: request.stream === true,
    };
  },
  message(answer, model) {
    const calls = answer.calls.length === 0 ? {} : { tool_calls: toolCalls(answer) };
    const message = { role: "assistant", content: answer.text || null, ...calls };
    const choice = { index: 0, message, finish_reason: finishReason(answer) };
    return { ...envelope("chat.completion", model), choices: [choice], usage: usageFields };
  },
  events(answer, model) {
    const chunk = envelope("chat.completion.chunk", model);
    const choices = (delta: object, reason: string | null) => [{ index: 0, delta, finish_reason: reason }];
    const calls = toolCalls(answer).map((call, index) => ({ tool_calls: [{ index, ...call }] }));
    const deltas = [
      { role: "assistant" },
      ...textPieces(answer.text).map((content) => ({ content })),
      ...calls,
    ];
    return [
      ...deltas.map((delta) => ({ ...chunk, choices: choices(delta, null) })),
      { ...chunk, choices: choices({}, finishReason(answer)) },
      { ...chunk, choices: [], usage: usageFields },
    ]
      .map((data) => `data: ${JSON.stringify(data)}\n\n`)
      .concat("data: [DONE]\n\n");
  },
  error: openaiError,
};

const usageFields = {
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
};

function isSystem({ role }: Readonly<Record<string, unknown>>): boolean {
  return role === "system" || role === "developer";
}

function messageTurns({ role, content }: Readonly<Record<string, unknown>>): Turn[] {
  if (role === "tool") return turn("result", contentText(content));
  if (role === "user") return contentTexts(content).flatMap((each) => turn("user", each));
  return role === "assistant" ? turn("assistant", contentText(content)) : [];
}

function envelope(object: string, model: string) {
  return { id: newId("chatcmpl"), object, created: Math.floor(Date.now() / 1000), model };
}

function toolCalls(answer: Answer) {
  return answer.calls.map(({ tool, input }) => ({
    id: newId("call"),
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
}

function finishReason(answer: Answer): string {
  return answer.calls.length > 0 ? "tool_calls" : "stop";
}
