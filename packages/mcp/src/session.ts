import type { Calls } from "./calls.ts";
import { createFront } from "./front.ts";
import { createListing } from "./listing.ts";
import { isRequest, type Message } from "./message.ts";
import type { Sdk, SdkOptions } from "./sdk.ts";
import type { ServerFacts } from "./server-facts.ts";

export interface SessionOptions {
  readonly facts: ServerFacts;
  readonly calls: Calls;
  send(message: Message): Promise<void>;
  diagnose(line: string): void;
}

/** One connection's conversation: the front first, then, from the first message it leaves alone, the SDK. */
export interface Session {
  receive(message: Message): void;
  close(): Promise<void>;
}

export function createSession(options: SessionOptions): Session {
  const listing = createListing(options.facts);
  const front = createFront(options.facts, listing);
  let sdk: Promise<Sdk> | undefined;
  return {
    receive(message) {
      const answer = sdk === undefined ? front.answer(message) : undefined;
      if (answer === "silent") return;
      if (answer instanceof Promise) return void answer.then(options.send);
      if (answer !== undefined) return void options.send(answer);
      sdk ??= handOver({ ...options, listing }, front.opening());
      sdk.then(
        (loaded) => loaded.receive(message),
        (error: unknown) => refuse(message, error, options),
      );
    },
    async close() {
      // What went wrong was told when the message was refused.
      const loaded = await sdk?.catch(() => undefined);
      await loaded?.close();
    },
  };
}

async function handOver(options: SdkOptions, opening: readonly Message[]): Promise<Sdk> {
  const { createSdk } = await import("./sdk.ts");
  const answered = new Set(opening.filter(isRequest).map(({ id }) => id));
  const sdk = createSdk({
    ...options,
    async send(message) {
      const repeated =
        message.method === undefined && message.id !== undefined && answered.delete(message.id);
      if (!repeated) await options.send(message);
    },
  });
  for (const message of opening) sdk.receive(message);
  return sdk;
}

function refuse(message: Message, error: unknown, { send, diagnose }: SessionOptions): void {
  diagnose(`The protocol layer could not be loaded: ${error instanceof Error ? error.stack : error}`);
  if (!isRequest(message)) return;
  void send({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "Internal error" } });
}
