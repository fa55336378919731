import type { IncomingMessage, ServerResponse } from "node:http";
import { anthropic } from "./anthropic.ts";
import { chatCompletions } from "./chat-completions.ts";
import type { Dialect } from "./dialect.ts";
import { readJson, sendJson } from "./http.ts";
import { answerModelRequest, type Desk } from "./model-request.ts";
import { responses } from "./responses.ts";

/** What every request of one server reaches. */
export interface Room {
  readonly desk: Desk;
  keepBody(body: unknown): void;
}

/** One HTTP request and its answer. */
export interface Wire {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers one HTTP request: a model's answer, or one of the questions that clients and tests ask besides. */
export async function route(room: Room, { request, response }: Wire): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (request.method === "POST") await answerPost(room, pathname, { request, response });
  else sendJson(response, ...reading(room, pathname));
}

function reading({ desk }: Room, pathname: string): Reply {
  if (pathname === "/") return [200, { fake: "model" }];
  if (pathname === "/v1/models") return [200, models];
  if (pathname === "/control/requests") return [200, desk.log.all()];
  return nothingHere;
}

async function answerPost(room: Room, pathname: string, { request, response }: Wire): Promise<void> {
  const body = await readJson(request);
  const dialect = dialects[pathname];
  if (dialect !== undefined && body !== undefined) {
    room.keepBody(body);
    await answerModelRequest(room.desk, { dialect, body, request, response });
  } else {
    sendJson(response, ...posting(room, pathname, body));
  }
}

function posting({ desk }: Room, pathname: string, body: unknown): Reply {
  const [, name] = /^\/control\/release\/([\w.-]+)$/.exec(pathname) ?? [];
  if (name !== undefined) {
    desk.gates.release(name);
    return [200, { released: name }];
  }
  if (body === undefined) return [400, anthropic.error(400, "The body is not JSON")];
  if (pathname === "/v1/messages/count_tokens") {
    return [200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) }];
  }
  return nothingHere;
}

const dialects: Readonly<Record<string, Dialect>> = {
  "/v1/messages": anthropic,
  "/v1/responses": responses,
  "/v1/chat/completions": chatCompletions,
};

type Reply = readonly [status: number, body: unknown];

const nothingHere: Reply = [404, anthropic.error(404, "The fake model has nothing at this path")];

// The keys of both vendors' lists side by side.
const models = {
  object: "list",
  data: [
    {
      id: "fake-model",
      type: "model",
      object: "model",
      display_name: "Fake model",
      created_at: "2026-01-01T00:00:00Z",
      created: 1_767_225_600,
      owned_by: "tests",
    },
  ],
  has_more: false,
  first_id: "fake-model",
  last_id: "fake-model",
};
