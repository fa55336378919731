import type { Readable, Writable } from "node:stream";
import { createLineReader } from "./lines.ts";
import { isRequest, type Message, parseMessage } from "./message.ts";

/** Why no more messages will come. */
export type WireEnd = "input-ended" | "line-too-long" | "output-closed";

export interface WireOptions {
  readonly input: Readable;
  readonly output: Writable;
  diagnose(line: string): void;
  onMessage(message: Message): void;
}

/** Newline-delimited JSON-RPC over two streams, which knows what it still owes an answer. */
export interface Wire {
  /** Resolves when no more messages will come by themselves. */
  readonly ended: Promise<WireEnd>;
  /** Writes one message; resolves when the bytes were taken, also when nobody reads them any more. */
  send(message: Message): Promise<void>;
  /** Reads nothing more. */
  stop(): void;
  /** Resolves when every request that was read has been answered, or was cancelled by the client. */
  answered(): Promise<void>;
}

/** Bytes of the longest line that is read. */
export const longestLine = 10 * 1024 * 1024;

export function createWire(options: WireOptions): Wire {
  const { input, output, diagnose } = options;
  const owed = createOwed();
  const { promise: ended, resolve: end } = createEnding();
  let broken = false;
  const stop = () => {
    input.off("data", read);
    input.pause();
  };
  const lines = createLineReader(longestLine, {
    onLine(line) {
      const message = parseMessage(line);
      if (message === "empty") return;
      if ("problem" in message) return diagnose(`A line of input was ignored: ${message.problem}.`);
      owed.received(message);
      options.onMessage(message);
    },
    onTooLong() {
      diagnose(`A line of input is longer than ${longestLine} bytes; the connection is closed.`);
      stop();
      end("line-too-long");
    },
  });
  const read = (chunk: Uint8Array) => lines.push(chunk);
  const breakOff = () => {
    broken = true;
    end("output-closed");
  };

  input.on("data", read);
  for (const event of ["end", "close", "error"]) input.on(event, () => end("input-ended"));
  for (const event of ["close", "error"]) output.on(event, breakOff);

  return {
    ended,
    async send(message) {
      if (!broken) await written(output, `${JSON.stringify(message)}\n`);
      owed.sent(message);
    },
    stop,
    answered: owed.settled,
  };
}

function written(output: Writable, text: string): Promise<void> {
  // An error is told by the stream's own event, which ends the connection.
  return new Promise((resolve) => output.write(text, () => resolve()));
}

function createEnding() {
  let resolve: (end: WireEnd) => void = () => {};
  const promise = new Promise<WireEnd>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function createOwed() {
  const counts = new Map<string | number, number>();
  let waiters: (() => void)[] = [];
  const settle = (id: string | number | undefined) => {
    if (id === undefined) return;
    const left = (counts.get(id) ?? 0) - 1;
    if (left > 0) counts.set(id, left);
    else counts.delete(id);
    if (counts.size > 0) return;
    for (const waiter of waiters) waiter();
    waiters = [];
  };
  return {
    received(message: Message): void {
      if (message.method === "notifications/cancelled") {
        const id = message.params?.["requestId"];
        if (typeof id === "string" || typeof id === "number") settle(id);
      } else if (isRequest(message) && message.method !== "subscriptions/listen") {
        // A subscription stays open until the connection ends: nothing is owed for it.
        counts.set(message.id, (counts.get(message.id) ?? 0) + 1);
      }
    },
    sent(message: Message): void {
      if (message.method === undefined) settle(message.id);
    },
    async settled(): Promise<void> {
      if (counts.size > 0) await new Promise<void>((resolve) => waiters.push(resolve));
    },
  };
}
