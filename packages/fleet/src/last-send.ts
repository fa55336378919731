import { join } from "node:path";
import type { PromptMark } from "@agent-control/panes";
import type { FleetPorts } from "./fleet-ports.ts";

type SendPorts = Pick<FleetPorts, "files" | "processTable" | "places">;

/**
 * Remembers the newest prompt of this caller ("person" or a launch id) to the launch; a later wait of the same
 * caller counts only a turn that began after it. A file, since a person's `wait` is another process than their `send`.
 */
export function rememberSend(
  ports: SendPorts,
  sent: { readonly launchId: string; readonly caller: string },
  mark: PromptMark,
): void {
  ports.files.makeDirectory(directory(ports));
  const { turnSequence, at, turnStarted } = mark;
  const boot = ports.processTable.bootId();
  const line = `${JSON.stringify({ boot, turn_sequence: turnSequence, at, turn_started: turnStarted })}\n`;
  ports.files.write(path(ports, sent), line, { durable: false });
}

/** The newest prompt of this caller to the launch in this boot; undefined when there is none. */
export function lastSend(
  ports: SendPorts,
  sent: { readonly launchId: string; readonly caller: string },
): PromptMark | undefined {
  const bytes = ports.files.read(path(ports, sent), 4_096);
  const value = bytes && parse(bytes);
  if (value?.["boot"] !== ports.processTable.bootId()) return undefined;
  const { turn_sequence: turnSequence, at, turn_started: turnStarted } = value;
  return typeof turnSequence === "number" && typeof at === "number" && typeof turnStarted === "boolean"
    ? { turnSequence, at, turnStarted }
    : undefined;
}

function directory(ports: SendPorts): string {
  return join(ports.places.runtimeDirectory, "sends");
}

function path(ports: SendPorts, sent: { readonly launchId: string; readonly caller: string }): string {
  return join(directory(ports), `${sent.launchId}.${sent.caller}.json`);
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // A torn file is no memory of a send.
  }
}
