import type { AuditFields } from "@agent-control/audit";
import { openLaunch, type Spawned, type SpawnRequest, settleLaunch } from "@agent-control/fleet";
import type { CommandPorts } from "./command-ports.ts";

/** Where a profile starts, and on whose behalf. */
export type Place = Omit<SpawnRequest, "profile" | "beforeOpening">;

export interface ProfileStart {
  readonly profile: SpawnRequest["profile"];
  readonly place: Place;
  readonly signal: AbortSignal;
  /** Adds to the audit line of the start. */
  readonly note: (fields: AuditFields) => void;
}

/** Starts a profile in a new pane and waits until it runs; see `openLaunch` and `settleLaunch` for what is refused. */
export async function startProfile(
  ports: CommandPorts,
  { profile, place, signal, note }: ProfileStart,
): Promise<Spawned> {
  const opened = await openLaunch(ports.fleet, { ...place, profile, beforeOpening: async () => {} });
  note({ target: opened.launch.id });
  return settleLaunch(ports.fleet, opened, signal);
}
