import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "./script.ts";
import type { Conversation } from "./turns.ts";

/** One vendor's wire format. */
export interface Dialect {
  readonly name: "anthropic" | "responses" | "chat";
  readConversation(body: unknown, headers: IncomingHttpHeaders): Conversation;
  /** The whole answer as one JSON value. */
  message(answer: Answer, model: string): unknown;
  /** The answer as server-sent events, each as it goes over the wire. */
  events(answer: Answer, model: string): string[];
  /** The vendor's error body. It holds no digits: one client takes any 429 or 50x in it for a reason to retry. */
  error(status: number, message: string): unknown;
}

/** What an answer costs, in tokens; always the same. */
export const usage = { input: 100, output: 10 } as const;

/** The text in pieces as a model would stream it: each word with the space before it. */
export function textPieces(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** An identifier that no other answer has. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** A header's value, when the client sent it once. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
