import { join } from "node:path";
import type { FleetPorts } from "./fleet-ports.ts";

/** The newest prompt to a launch: a wait of the same caller counts only a turn that began after it. */
export interface LastSend {
  readonly caller: string;
  /** Newest turn event before the paste. */
  readonly turnSequence: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

const path = (ports: FleetPorts, launchId: string) =>
  join(ports.places.runtimeDirectory, "sends", `${launchId}.json`);

/** Remembers the prompt; kept in a file, since a person's `wait` is another process than their `send`. */
export function rememberSend(ports: FleetPorts, launchId: string, send: LastSend): void {
  ports.files.makeDirectory(join(ports.places.runtimeDirectory, "sends"));
  const line = JSON.stringify({ ...send, boot: ports.processTable.bootId() });
  ports.files.write(path(ports, launchId), line, { durable: false });
}

/** The newest prompt of this caller in this boot; undefined when there is none, or another caller sent later. */
export function lastSend(ports: FleetPorts, launchId: string, caller: string): LastSend | undefined {
  const bytes = ports.files.read(path(ports, launchId), 4_096);
  const value = bytes && parse(bytes);
  if (!value || value["boot"] !== ports.processTable.bootId() || value["caller"] !== caller) return undefined;
  const { turnSequence, at } = value;
  return typeof turnSequence === "number" && typeof at === "number"
    ? { caller, turnSequence, at }
    : undefined;
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // A torn file is no memory of a send.
  }
}
