import type { Readable, Writable } from "node:stream";
import { createLineReader } from "./lines.ts";
import { isRecord, type Message } from "./message.ts";
import { longestLine } from "./wire.ts";

/** A spawned server with piped streams, e.g. what `child_process.spawn` returns. */
export interface ServerProcess {
  readonly pid?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  kill(signal: NodeJS.Signals): boolean;
  once(event: "close", listener: (code: number | null, signal: string | null) => void): unknown;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A raw JSON-RPC client over a server's streams: it sends exactly what it is told and keeps every line. */
export interface ServerDriver {
  readonly process: ServerProcess;
  /** Every line of standard output so far, as bytes that were sent. */
  readonly lines: readonly string[];
  /** Standard error so far. */
  diagnostics(): string;
  /** Writes bytes as they are, or one message and a line feed. */
  send(what: string | Uint8Array | object): void;
  /** Sends a request and resolves with its answer; rejects when the server exits first. */
  request(method: string, params?: object, id?: string | number): Promise<Message>;
  notify(method: string, params?: object): void;
  /** Resolves with the first message, seen already or to come, that `wanted` accepts; rejects when the server exits first. */
  message(wanted: (message: Message) => boolean): Promise<Message>;
  /** Resolves when standard error contains the text; rejects when the server exits first. */
  diagnosed(text: string): Promise<void>;
  /** Opens with `initialize` and `notifications/initialized`; resolves with the answer. */
  initialize(protocolVersion?: string): Promise<Message>;
  /** Calls a tool; rejects when its result is longer than 10 KiB. */
  call(name: string, args?: object): Promise<ToolResult>;
  /** Ends the server's input and resolves when it is gone. */
  close(): Promise<ServerExit>;
  /** Resolves when it is gone. */
  readonly exited: Promise<ServerExit>;
}

export interface ToolResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
}

/** Drives a server that was just spawned. */
export function driveServer(child: ServerProcess): ServerDriver {
  const seen = watchStreams(child);
  let nextId = 1;

  const send: ServerDriver["send"] = (what) => {
    const raw = typeof what === "string" || what instanceof Uint8Array;
    child.stdin.write(raw ? what : `${JSON.stringify(what)}\n`);
  };
  const message: ServerDriver["message"] = (wanted) => seen.first(() => seen.messages.find(wanted));
  const request: ServerDriver["request"] = (method, params, id = nextId++) => {
    send({ jsonrpc: "2.0", id, method, params });
    return message((answer) => answer.id === id && answer.method === undefined);
  };
  const notify: ServerDriver["notify"] = (method, params) => send({ jsonrpc: "2.0", method, params });
  // A server that is gone makes writing fail; `exited` tells it.
  child.stdin.on("error", () => {});

  return {
    process: child,
    lines: seen.lines,
    diagnostics: seen.diagnostics,
    send,
    request,
    notify,
    message,
    async diagnosed(text) {
      await seen.first(() => seen.diagnostics().includes(text) || undefined);
    },
    async initialize(protocolVersion = "2025-11-25") {
      const clientInfo = { name: "driver", version: "1.0.0" };
      const answer = await request("initialize", { protocolVersion, capabilities: {}, clientInfo });
      notify("notifications/initialized");
      return answer;
    },
    async call(name, args = {}) {
      return toolResult(name, await request("tools/call", { name, arguments: args }));
    },
    close() {
      child.stdin.end();
      return seen.exited;
    },
    exited: seen.exited,
  };
}

function watchStreams(child: ServerProcess) {
  const lines: string[] = [];
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let errors = "";
  let exit: ServerExit | undefined;
  const changed = () => {
    for (const look of waiting) look();
  };
  const reader = createLineReader(longestLine, {
    onLine(line) {
      const text = Buffer.from(line).toString("utf8");
      lines.push(text);
      messages.push(JSON.parse(text));
    },
    onTooLong: () => child.kill("SIGKILL"),
  });
  child.stdout.on("data", (chunk: Uint8Array) => {
    reader.push(chunk);
    changed();
  });
  child.stderr.on("data", (chunk: Uint8Array) => {
    errors += Buffer.from(chunk).toString("utf8");
    changed();
  });
  const exited = new Promise<ServerExit>((resolve) => {
    child.once("close", (code, signal) => {
      exit = { code, signal };
      changed();
      resolve(exit);
    });
  });
  return {
    lines,
    messages,
    exited,
    diagnostics: () => errors,
    first<T>(find: () => T | undefined): Promise<T> {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = find();
          if (found === undefined && exit === undefined) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`The server exited (${JSON.stringify(exit)}) first. It said: ${errors}`));
        };
        waiting.add(look);
        look();
      });
    },
  };
}

const largestResult = 10 * 1024;

function toolResult(name: string, answer: Message): ToolResult {
  const result = answer.result;
  if (!isRecord(result) || !Array.isArray(result["content"])) {
    throw new Error(`${name} was answered with ${JSON.stringify(answer)}`);
  }
  const text = String(result["content"][0]?.text);
  const bytes = Buffer.byteLength(text);
  if (bytes > largestResult)
    throw new Error(`${name} answered ${bytes} bytes; at most ${largestResult} are allowed`);
  const structured = result["structuredContent"];
  return {
    text,
    structured: isRecord(structured) ? structured : undefined,
    isError: result["isError"] === true,
  };
}
