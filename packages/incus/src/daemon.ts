import type * as z from "zod";
import type { Connection } from "./connection.ts";
import type { Answer, Request } from "./exchange.ts";
import { type Refusal, type RefusalCode, readRefusal, refused, unreadable } from "./incus-failure.ts";
import { replySchema } from "./wire.ts";

/** What the daemon says to a request. A refusal is a value: many are facts and not faults. */
export type Reply =
  | { readonly type: "sync"; readonly metadata: unknown; readonly etag: string }
  | { readonly type: "async"; readonly operation: string; readonly metadata: unknown }
  | { readonly type: "refused"; readonly refusal: Refusal };

export interface Call extends Request {
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The daemon's JSON requests, over a connection. */
export interface Daemon {
  ask(call: Call): Promise<Reply>;
  /** The metadata that a GET answers, with its ETag; undefined when nothing is there. Throws for every other refusal. */
  look<T>(
    path: readonly string[],
    schema: z.ZodType<T>,
    options?: LookOptions,
  ): Promise<Looked<T> | undefined>;
}

export interface LookOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Looked<T> {
  readonly value: T;
  readonly etag: string;
}

export function createDaemon(connection: Connection): Daemon {
  async function ask({ body, ...request }: Call): Promise<Reply> {
    if (body === undefined) return readReply(await connection.send(request), request.path);
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { "content-type": "application/json", ...request.headers };
    return readReply(await connection.send({ ...request, bytes, headers }), request.path);
  }
  return {
    ask,
    async look(path, schema, options = {}) {
      return lookedIn(await ask({ method: "GET", path, ...options }), path, schema);
    },
  };
}

/** What a reply to a GET shows; undefined when nothing is there. Throws for every other refusal. */
export function lookedIn<T>(
  reply: Reply,
  path: readonly string[],
  schema: z.ZodType<T>,
): Looked<T> | undefined {
  const what = path.join("/");
  if (reply.type === "refused") {
    if (isAbsence(reply.refusal)) return undefined;
    throw refused(reply.refusal, `show ${what}`);
  }
  const read = schema.safeParse(reply.metadata);
  if (!read.success || reply.type !== "sync") throw unreadable(what, read.error);
  return { value: read.data, etag: reply.etag };
}

/** The thing asked for is not there. */
export function isAbsence({ code }: Refusal): boolean {
  return absences.has(code);
}

const absences: ReadonlySet<RefusalCode> = new Set([
  "not-found",
  "instance-not-found",
  "operation-gone",
  "image-missing",
]);

/** Reads a JSON answer. A failed wait comes with HTTP 200: only `type` and `error_code` tell. */
export function readReply(answer: Answer, path: readonly string[]): Reply {
  const reply = replySchema.safeParse(parseJson(answer, path));
  if (!reply.success) throw unreadable(path.join("/"), reply.error);
  const { type, metadata, operation, error, error_code } = reply.data;
  if (type === "error") return { type: "refused", refusal: refusalOf(readRefusal(error_code, error), path) };
  if (type === "async") return { type, operation: operation.split("/").at(-1) ?? "", metadata };
  const etag = answer.headers.etag;
  return { type, metadata, etag: typeof etag === "string" ? etag : "" };
}

/** A project that is not there is a fault, unless it was what was asked for. */
function refusalOf(refusal: Refusal, [collection]: readonly string[]): Refusal {
  const isAsked = collection === "projects" && refusal.code === "project-missing";
  return isAsked ? { ...refusal, code: "not-found" } : refusal;
}

function parseJson(answer: Answer, path: readonly string[]): unknown {
  try {
    return JSON.parse(answer.bytes.toString());
  } catch (error) {
    throw unreadable(path.join("/"), error);
  }
}
