import { plainText } from "@agent-control/base";
import type { InstanceAt, InstanceSeen } from "@agent-control/incus";
import { markedAt } from "./holder-mark.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { foreignInstance, unknownInstance } from "./holding-refusals.ts";
import { parseSession, type SessionLife, sessionLife } from "./session.ts";
import { readStamp, type Stamp } from "./stamp.ts";
import { seeInstance } from "./stamp-write.ts";

/** Who holds an instance: this session, another live one, or nobody because its holder is dead or released it. */
export type Standing = "mine" | "held" | "orphaned";

/** An instance that agents of this host user made. */
export interface OwnInstance<Seen extends InstanceSeen = InstanceSeen> {
  readonly instance: Seen;
  readonly stamp: Stamp;
  readonly standing: Standing;
}

type Viewer = Pick<HoldingPorts, "owner" | "session">;

/** The instance as one of this user's; undefined when it is anybody else's or was not made through MCP. */
export function ownInstance<Seen extends InstanceSeen>(
  instance: Seen,
  viewer: Viewer,
  isAlive: SessionLife,
): OwnInstance<Seen> | undefined {
  const stamp = readStamp(instance.config);
  if (stamp.mcpOwner !== viewer.owner) return undefined;
  return { instance, stamp, standing: standingOf(stamp, viewer.session, isAlive) };
}

/** The same of one instance that was just read; refuses (`instance-unknown`, `instance-foreign`) what is not there or not this user's. */
export async function requireOwn(
  ports: HoldingPorts,
  name: string,
  seen: InstanceAt | undefined,
): Promise<OwnInstance<InstanceAt>> {
  if (seen === undefined) throw unknownInstance(name);
  const coordinator = await coordinatorOf(ports, readStamp(seen.config));
  const own = ownInstance(seen, ports, sessionLife(ports.processTable, coordinator));
  if (own === undefined) throw foreignInstance(name);
  return own;
}

/** True when nobody holds the instance any more. */
export function isOrphan(stamp: Stamp, isAlive: SessionLife): boolean {
  return markedAt(stamp.orphaned, stamp.session) !== undefined || !isAlive(stamp.session ?? "");
}

/** The leaf template that an instance stands for. */
export function templateOf(stamp: Stamp): string {
  return plainText(stamp.profile ?? stamp.parent ?? "");
}

/** Where work in an instance starts. */
export function workdirOf(stamp: Stamp): string {
  return stamp.workdir ?? "/home/agentuser";
}

function standingOf(stamp: Stamp, session: string, isAlive: SessionLife): Standing {
  if (isOrphan(stamp, isAlive)) return "orphaned";
  return stamp.session === session ? "mine" : "held";
}

// Only a coordinator's life needs a look at Incus: at its own instance.
async function coordinatorOf(ports: HoldingPorts, stamp: Stamp): Promise<readonly InstanceSeen[]> {
  const holder = parseSession(stamp.session ?? "");
  if (holder?.kind !== "coordinator") return [];
  const coordinator = await seeInstance(ports.incus, holder.instance);
  return coordinator === undefined ? [] : [coordinator];
}
