import type { Readable, Writable } from "node:stream";
import type { Clock } from "@agent-control/base";
import { type Calls, type CallsOptions, createCalls } from "./calls.ts";
import type { ServerFacts } from "./server-facts.ts";
import { createSession, type Session } from "./session.ts";
import { createWire, type Wire } from "./wire.ts";

export interface ServeOptions<Context> extends ServerFacts, CallsOptions<Context> {
  readonly input: Readable;
  readonly output: Writable;
  /** Fires when the process is asked to end. */
  readonly stopped: AbortSignal;
  /** Called once, after the client's first message was taken. */
  begun?(): void;
  /** Lets go of what the session holds; called once, when no call is running any more or time runs out. */
  ended?(): Promise<void>;
}

/**
 * Serves tools on one stdio connection until the input ends, the output closes, a line is too long or `stopped`
 * fires. Accepted calls are answered first: waiting ones as cancelled at once, the others within two seconds.
 * When it resolves, the process should exit with 0.
 */
export async function serveStdio<Context>(options: ServeOptions<Context>): Promise<void> {
  const { input, output, stopped, clock, diagnose } = options;
  const calls = createCalls(options);
  const wire: Wire = createWire({
    input,
    output,
    diagnose,
    onMessage(message) {
      session.receive(message);
      begin();
    },
  });
  const begin = once(() => options.begun?.());
  const session: Session = createSession({ facts: options, calls, send: wire.send, diagnose });
  const end = await Promise.race([wire.ended, fired(stopped)]);
  wire.stop();
  if (end === "output-closed") calls.cancelAll();
  else calls.cancelWaits();
  const finished = finish(wire, calls, session);
  await atMost(clock, patienceMs, finished);
  calls.cancelAll();
  await atMost(clock, graceMs, Promise.all([finished, letGo(options)]));
}

// Together the two seconds that a client may have to wait for its server to exit: a call that is still running
// after the first is cancelled, and has the second to say so.
const patienceMs = 1500;
const graceMs = 500;

async function letGo<Context>({ ended, diagnose }: ServeOptions<Context>): Promise<void> {
  await ended?.().catch((error: unknown) =>
    diagnose(`The session was not ended in order: ${error instanceof Error ? error.message : error}`),
  );
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

async function finish(wire: Wire, calls: Calls, session: Session): Promise<void> {
  await wire.answered();
  await calls.idle();
  await session.close();
}

function fired(signal: AbortSignal): Promise<"stopped"> {
  return new Promise((resolve) => {
    const fire = () => resolve("stopped");
    if (signal.aborted) fire();
    signal.addEventListener("abort", fire, { once: true });
  });
}

async function atMost(clock: Clock, ms: number, wanted: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  // Ending the sleep early is the normal way.
  const sleep = clock.sleep(ms, timer.signal).catch(() => {});
  await Promise.race([wanted, sleep]);
  timer.abort();
}
