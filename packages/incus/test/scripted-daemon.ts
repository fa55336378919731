import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@agent-control/system";
import { onTestFinished } from "vitest";
import { createIncus } from "../src/create-incus.ts";

export interface Asked {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly body: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type Answering = (asked: Asked) => void;

/** A daemon that says what the test wants, and a client of it; `asked` lists "METHOD /path". */
export async function scriptedDaemon(answer: Answering, socketName = "unix.socket") {
  const directory = mkdtempSync(join(tmpdir(), "incus-"));
  const socketPath = join(directory, socketName);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://incus").pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push(`${request.method} ${path}`);
    answer({ method: request.method ?? "", path, body: Buffer.concat(chunks).toString(), request, response });
  });
  await listening(server, socketPath);
  const incus = createIncus({ socketPath, project: "default", clock: createClock() });
  onTestFinished(() => {
    incus.close();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });
  return { directory, socketPath, server, incus, asked };
}

/** Answers as Incus does; an error comes with the HTTP status that is given. */
export function say(response: ServerResponse, reply: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", etag: '"e"' });
  response.end(
    JSON.stringify({ type: "sync", operation: "", error: "", error_code: 0, metadata: null, ...reply }),
  );
}

function listening(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve) => {
    server.listen(socketPath, resolve);
  });
}
