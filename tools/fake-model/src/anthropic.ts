import { type Dialect, header, newId, textPieces, usage } from "./dialect.ts";
import { fields, list, text } from "./json-value.ts";
import type { Answer } from "./script.ts";
import { contentText, type Turn, turn } from "./turns.ts";

/** Anthropic's Messages API: `POST /v1/messages`. */
export const anthropic: Dialect = {
  name: "anthropic",
  readConversation(body, headers) {
    const request = fields(body);
    return {
      system: contentText(request.system),
      turns: list(request.messages).flatMap(messageTurns),
      tools: list(request.tools).map((tool) => text(fields(tool).name)),
      session: header(headers, "x-claude-code-session-id"),
      model: text(request.model),
      stream: request.stream === true,
    };
  },
  message(answer, model) {
    return { ...emptyMessage(model), content: contentBlocks(answer), ...stop(answer), usage: usageFields };
  },
  events(answer, model) {
    return [
      event("message_start", { message: emptyMessage(model) }),
      ...contentBlocks(answer).flatMap(blockEvents),
      event("message_delta", { delta: stop(answer), usage: usageFields }),
      event("message_stop", {}),
    ];
  },
  error(status, message) {
    return {
      type: "error",
      error: { type: errorTypes[status] ?? "api_error", message },
      request_id: "req_fake",
    };
  },
};

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

const usageFields = { input_tokens: usage.input, output_tokens: usage.output };

// https://docs.anthropic.com/en/api/errors
const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function messageTurns(message: unknown): Turn[] {
  const { role, content } = fields(message);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  return blocks.flatMap((block) => {
    const { type, text: written, content: inner } = fields(block);
    if (type === "tool_result") return turn("result", contentText(inner));
    // Claude Code also sends messages of role `system` between the turns.
    if (type !== "text" || (role !== "user" && role !== "assistant")) return [];
    return turn(role, text(written));
  });
}

function emptyMessage(model: string) {
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: 1 },
  };
}

function stop(answer: Answer) {
  return { stop_reason: answer.calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
}

function contentBlocks(answer: Answer): Block[] {
  const said: Block[] = answer.text === "" ? [] : [{ type: "text", text: answer.text }];
  const calls = answer.calls.map(
    ({ tool, input }): Block => ({ type: "tool_use", id: newId("toolu"), name: tool, input }),
  );
  return [...said, ...calls];
}

function blockEvents(block: Block, index: number): string[] {
  const isText = block.type === "text";
  const deltas = isText
    ? textPieces(block.text).map((piece) => ({ type: "text_delta", text: piece }))
    : [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  return [
    event("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
