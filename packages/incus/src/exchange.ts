import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from "node:http";
import { errorCode, unfinished } from "./incus-failure.ts";

export interface Request {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path elements below /1.0, not escaped: `["instances", "web-1", "state"]`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as they are. */
  readonly bytes?: Uint8Array;
  /** Bytes of a successful answer that are read; what is over is cut. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The answer was longer than the limit. */
  readonly cut: boolean;
}

export interface Route {
  readonly agent: Agent;
  /** Takes over, once, when the agent's kept-alive connection turns out to be dead. */
  readonly fallback?: Agent;
  readonly url: string;
}

// Lists of thousands of instances stay far below it.
const defaultLimit = 64 * 1024 * 1024;

/** One request and its answer, read to its end or its limit; rejects with the socket's own error, or a Failure for an answer that ends too soon. */
export function exchange(request: Request, route: Route): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = openRequest({
      agent: route.agent,
      path: route.url,
      method: request.method,
      headers: { host: "incus", ...lengthOf(request.bytes), ...request.headers },
      ...(request.signal ? { signal: request.signal } : {}),
    });
    sent.on("error", (error) => {
      const { fallback } = route;
      if (fallback && sent.reusedSocket && isHungUp(error)) {
        resolve(exchange(request, { agent: fallback, url: route.url }));
      } else reject(error);
    });
    sent.on("response", (response) => {
      const limit = response.statusCode === 200 ? request.limit : undefined;
      readAnswer(response, limit ?? defaultLimit).then(resolve, reject);
    });
    sent.end(request.bytes);
  });
}

async function readAnswer(response: IncomingMessage, limit: number): Promise<Answer> {
  const bytes = await readUpTo(response, limit + 1).catch((error: unknown) => {
    throw unfinished(error);
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes: bytes.subarray(0, limit),
    cut: bytes.length > limit,
  };
}

async function readUpTo(response: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the connection, so that the rest is not sent.
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

function lengthOf(bytes: Uint8Array | undefined): Record<string, string> {
  return bytes === undefined ? {} : { "content-length": String(bytes.length) };
}

function isHungUp(error: Error): boolean {
  return errorCode(error) === "ECONNRESET" || errorCode(error) === "EPIPE";
}
