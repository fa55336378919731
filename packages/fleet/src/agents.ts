import { isAlive } from "@agent-control/base";
import { harnesses } from "@agent-control/harness";
import { combine, type PaneState } from "@agent-control/panes";
import type { FleetPorts } from "./fleet-ports.ts";
import { type ClaimedLaunch, isClaimed, type Launch } from "./launch.ts";
import { isStarting } from "./live-launch.ts";

/** A launch and what its agent does by its newest hook event; the screen is not looked at. */
export interface Agent {
  readonly launch: Launch;
  readonly state: AgentState;
  readonly detail: string;
  /** Milliseconds since the epoch; 0 when nothing tells. */
  readonly since: number;
}

/** running: its process lives, and its harness reports nothing. pending: its pane has not claimed it yet. */
export type AgentState = PaneState | "running" | "pending" | "replaced";

type Did = Omit<Agent, "launch">;

/** Every readable launch, newest first; unreadable records are told to `unreadable`. */
export async function listAgents(
  ports: FleetPorts,
  unreadable?: (id: string, why: string) => void,
): Promise<Agent[]> {
  const launches = ports.launches.list(unreadable);
  return Promise.all(launches.map(async (launch) => ({ launch, ...(await didLast(ports, launch)) })));
}

/** Whether the agent runs or is starting. */
export function isRunning({ state }: Agent): boolean {
  return state !== "exited" && state !== "replaced";
}

async function didLast(ports: FleetPorts, launch: Launch): Promise<Did> {
  if (launch.state === "replaced") return { state: "replaced", detail: "", since: 0 };
  if (isStarting(ports.clock, launch)) {
    return { state: "pending", detail: "", since: Date.parse(launch.createdAt) };
  }
  // The record says claimed until somebody notices that the process is gone.
  const runs = isClaimed(launch) && isAlive(ports.processTable, launch.process);
  return runs ? reported(ports, launch) : ended(ports, launch);
}

async function reported(ports: FleetPorts, launch: ClaimedLaunch): Promise<Did> {
  const started = Date.parse(launch.claimedAt ?? launch.createdAt);
  const record = await ports.activity.ofLaunch(launch.id);
  if (record === undefined && !harnesses[launch.harness].reportsStatus) {
    return { state: "running", detail: "", since: started };
  }
  const { state, detail, since } = combine(record, { state: "unknown" });
  return { state, detail, since: since || started };
}

async function ended(ports: FleetPorts, launch: Launch): Promise<Did> {
  if (launch.state === "pending") return { state: "exited", detail: "never started", since: 0 };
  const record = await ports.activity.ofLaunch(launch.id);
  return { state: "exited", detail: "", since: record?.status === "ended" ? record.ts : 0 };
}
