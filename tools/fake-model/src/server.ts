import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { anthropic } from "./anthropic.ts";
import { chatCompletions } from "./chat-completions.ts";
import type { Dialect } from "./dialect.ts";
import { createGates } from "./gates.ts";
import { readJson, sendJson } from "./http.ts";
import { answerModelRequest, type Desk } from "./model-request.ts";
import { createRequestLog, type LoggedRequest } from "./request-log.ts";
import { responses } from "./responses.ts";

export interface FakeModelOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Gets one JSON line per ended request. */
  readonly logFile?: string;
  /** Gets every request's whole body as `000001.json` and so on; made when missing. */
  readonly bodiesDirectory?: string;
}

export interface FakeModel {
  /** E.g. `http://127.0.0.1:40123`. OpenAI clients take `<url>/v1` as their base URL. */
  readonly url: string;
  readonly port: number;
  /** Every request for a model's answer so far, also those still being answered. */
  requests(): readonly LoggedRequest[];
  /**
   * The first request, also of those already there, for which the predicate holds; it is asked when a request
   * comes and when it ends. Rejects after `ms` milliseconds with what was seen.
   */
  waitForRequest(predicate: (request: LoggedRequest) => boolean, ms: number): Promise<LoggedRequest>;
  /** Lets the answers go that `[[hold name]]` holds, now and later. */
  release(name: string): void;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** Starts a scripted model on loopback; nobody else can reach it. */
export async function startFakeModel(options: FakeModelOptions = {}): Promise<FakeModel> {
  const { port = 0, logFile, bodiesDirectory } = options;
  const desk: Desk = { log: createRequestLog(logFile), gates: createGates(), attempts: new Map() };
  const keepBody = bodyKeeper(bodiesDirectory);
  const server = createServer((request, response) => {
    handle({ desk, keepBody }, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const bound = await listen(server, port);
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests: desk.log.all,
    waitForRequest: desk.log.waitFor,
    release: desk.gates.release,
    close: () => close(server),
  };
}

interface Room {
  readonly desk: Desk;
  keepBody(body: unknown): void;
}

interface Wire {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const dialects: Readonly<Record<string, Dialect>> = {
  "/v1/messages": anthropic,
  "/v1/responses": responses,
  "/v1/chat/completions": chatCompletions,
};

async function handle(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (request.method === "POST") await handlePost(room, pathname, { request, response });
  else sendJson(response, ...reading(room, pathname));
}

function reading({ desk }: Room, pathname: string): Reply {
  if (pathname === "/") return [200, { fake: "model" }];
  if (pathname === "/v1/models") return [200, models];
  if (pathname === "/control/requests") return [200, desk.log.all()];
  return nothingHere;
}

async function handlePost(room: Room, pathname: string, { request, response }: Wire): Promise<void> {
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

function bodyKeeper(directory: string | undefined): (body: unknown) => void {
  if (directory === undefined) return () => {};
  mkdirSync(directory, { recursive: true });
  let count = 0;
  return (body) => {
    count += 1;
    writeFileSync(join(directory, `${String(count).padStart(6, "0")}.json`), JSON.stringify(body, null, 1));
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server has no TCP port."));
      else resolve(address.port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
