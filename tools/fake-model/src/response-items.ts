import { newId } from "./dialect.ts";
import type { Answer } from "./script.ts";

/** What the model says, as an output item of the Responses API. */
export interface MessageItem {
  readonly type: "message";
  readonly id: string;
  readonly status: string;
  readonly role: "assistant";
  readonly content: readonly TextPart[];
}

/** A tool call, as an output item of the Responses API. */
export interface CallItem {
  readonly type: "function_call";
  readonly id: string;
  readonly call_id: string;
  readonly status: string;
  readonly namespace?: string;
  readonly name: string;
  readonly arguments: string;
}

interface TextPart {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly [];
}

/** The output items of an answer. */
export function outputItems(answer: Answer): (MessageItem | CallItem)[] {
  const said = answer.text === "" ? [] : [messageItem(answer.text)];
  return [...said, ...answer.calls.map(({ tool, input }) => callItem(tool, JSON.stringify(input)))];
}

function messageItem(said: string): MessageItem {
  const content: TextPart[] = [{ type: "output_text", text: said, annotations: [] }];
  return { type: "message", id: newId("msg"), status: "completed", role: "assistant", content };
}

function callItem(tool: string, input: string): CallItem {
  const slash = tool.indexOf("/");
  return {
    type: "function_call",
    id: newId("fc"),
    call_id: newId("call"),
    status: "completed",
    ...(slash > 0 ? { namespace: tool.slice(0, slash) } : {}),
    name: tool.slice(slash + 1),
    arguments: input,
  };
}
