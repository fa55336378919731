import { type Dialect, header, newId, textPieces, usage } from "./dialect.ts";
import { fields, list, text } from "./json-value.ts";
import { openaiError } from "./openai-error.ts";
import { type CallItem, type MessageItem, outputItems } from "./response-items.ts";
import { contentText, contentTexts, type Turn, turn } from "./turns.ts";

/** OpenAI's Responses API: `POST /v1/responses`. */
export const responses: Dialect = {
  name: "responses",
  readConversation(body, headers) {
    const request = fields(body);
    return {
      system: text(request.instructions),
      turns:
        typeof request.input === "string"
          ? turn("user", request.input)
          : list(request.input).flatMap(itemTurns),
      tools: list(request.tools).flatMap(toolNames),
      session: header(headers, "session_id") ?? (text(request.prompt_cache_key) || undefined),
      model: text(request.model),
      stream: request.stream === true,
    };
  },
  message(answer, model) {
    return response("completed", model, outputItems(answer));
  },
  events(answer, model) {
    const items = outputItems(answer);
    const events = [
      { type: "response.created", response: response("in_progress", model, []) },
      ...items.flatMap(itemEvents),
      { type: "response.completed", response: response("completed", model, items) },
    ];
    return events.map(
      (event, number) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`,
    );
  },
  error: openaiError,
};

interface Event {
  readonly type: string;
  readonly [key: string]: unknown;
}

function itemTurns(item: unknown): Turn[] {
  const { type, role, content, output } = fields(item);
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return turn("result", contentText(output));
  }
  if (role === "user") return contentTexts(content).flatMap((each) => turn("user", each));
  return role === "assistant" ? turn("assistant", contentText(content)) : [];
}

function toolNames(tool: unknown): string[] {
  const { type, name, tools } = fields(tool);
  if (type === "namespace") return list(tools).map((inner) => `${text(name)}/${text(fields(inner).name)}`);
  return [text(name) || text(type)];
}

function response(status: string, model: string, output: readonly unknown[]) {
  return {
    id: newId("resp"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status,
    model,
    output,
    usage: status === "completed" ? usageFields : null,
  };
}

const usageFields = {
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.input + usage.output,
};

function itemEvents(item: MessageItem | CallItem, index: number): Event[] {
  const place = { item_id: item.id, output_index: index };
  const begun =
    item.type === "message"
      ? { ...item, status: "in_progress", content: [] }
      : { ...item, status: "in_progress", arguments: "" };
  return [
    { type: "response.output_item.added", output_index: index, item: begun },
    ...(item.type === "message" ? textEvents(item, place) : argumentEvents(item, place)),
    { type: "response.output_item.done", output_index: index, item },
  ];
}

function textEvents(item: MessageItem, place: object): Event[] {
  return item.content.flatMap((part, index) => {
    const at = { ...place, content_index: index };
    return [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...textPieces(part.text).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
      { type: "response.output_text.done", ...at, text: part.text },
      { type: "response.content_part.done", ...at, part },
    ];
  });
}

function argumentEvents(item: CallItem, place: object): Event[] {
  return [
    { type: "response.function_call_arguments.delta", ...place, delta: item.arguments },
    { type: "response.function_call_arguments.done", ...place, arguments: item.arguments },
  ];
}
