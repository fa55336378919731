import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { createGates } from "./gates.ts";
import type { Desk } from "./model-request.ts";
import { createRequestLog, type LoggedRequest } from "./request-log.ts";
import { route } from "./routes.ts";

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
    route({ desk, keepBody }, { request, response }).catch((error: unknown) => {
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
