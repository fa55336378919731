import type { Clock } from "@agent-control/base";
import type { Connection } from "./connection.ts";
import type { Incus, IncusEvent } from "./incus.ts";
import { endOf } from "./streams.ts";
import { eventSchema, lifecycleSchema, operationSchema } from "./wire.ts";

const longestPauseMs = 5_000;

/** Listens to the daemon's events, as `Incus.listen` says. */
export function createListen(connection: Connection, clock: Clock): Incus["listen"] {
  return (types, listener, signal) => {
    void listenOn({ connection, clock, types, listener, signal });
  };
}

interface Listening {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly types: readonly string[];
  readonly listener: (event: IncusEvent) => void;
  readonly signal: AbortSignal;
}

async function listenOn(listening: Listening): Promise<void> {
  const { clock, signal } = listening;
  let pauseMs = 100;
  while (!signal.aborted) {
    if (await listenOnce(listening)) pauseMs = 100;
    await clock.sleep(pauseMs, signal).catch(() => {}); // the signal's: the loop looks
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Listens until the connection ends; false when there was none. */
async function listenOnce({ connection, types, listener, signal }: Listening): Promise<boolean> {
  const socket = connection.openSocket(["events"], { type: types.join(",") });
  const ended = endOf(socket);
  const stop = () => socket.terminate();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let isOpen = false;
  socket.on("open", () => {
    isOpen = true;
    listener({ type: "gap" });
  });
  socket.on("message", (data: Buffer) => {
    const event = readEvent(data);
    if (event && !signal.aborted) listener(event);
  });
  await ended;
  signal.removeEventListener("abort", stop);
  return isOpen;
}

/** The event of a message; undefined for a kind that is not asked for here. One that cannot be read is lost: a gap. */
function readEvent(data: Buffer): IncusEvent | undefined {
  try {
    return parseEvent(data);
  } catch {
    return { type: "gap" };
  }
}

function parseEvent(data: Buffer): IncusEvent | undefined {
  const { type, project, metadata } = eventSchema.parse(JSON.parse(data.toString()));
  if (type === "lifecycle") return { type, project, ...lifecycleSchema.parse(metadata) };
  if (type !== "operation") return undefined;
  const { id, status, err, metadata: own } = operationSchema.parse(metadata);
  return { type, id, status, error: err, metadata: own };
}
