import { isAlive, type ProcessTable } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import { readStamp } from "./stamp.ts";

/** Who can hold instances: one process of this machine, or a coordinator, which is an instance with a grant. */
export type Session =
  | { readonly kind: "process"; readonly pid: number; readonly start: string; readonly boot: string }
  | { readonly kind: "coordinator"; readonly instance: string; readonly grant: string };

/** Says of a session id whether that session still is. Throws when the process table cannot be read. */
export type SessionLife = (session: string) => boolean;

/** The session id of this process: `<pid>-<start ticks>-<first 8 hex digits of the boot id>`. */
export function processSession(processTable: ProcessTable): string {
  const { pid, start, bootId } = processTable.self();
  return `${pid}-${start}-${bootMark(bootId)}`;
}

/** What a session id says; undefined when it is not one. */
export function parseSession(id: string): Session | undefined {
  const [, pid, start, boot] = processId.exec(id) ?? [];
  if (pid !== undefined && start !== undefined && boot !== undefined) {
    return { kind: "process", pid: Number(pid), start, boot };
  }
  const [, instance, grant] = coordinatorId.exec(id) ?? [];
  if (instance === undefined || grant === undefined) return undefined;
  return { kind: "coordinator", instance, grant };
}

/**
 * Life as this machine and a listing show it: a process by pid, start time and boot; a coordinator while its
 * instance is in the listing with that grant and is not airgapped. An id that is none counts as alive.
 */
export function sessionLife(processTable: ProcessTable, listing: readonly InstanceSeen[]): SessionLife {
  const grants = new Map(listing.flatMap(grantOf));
  return (id) => {
    const session = parseSession(id);
    if (session === undefined) return true;
    if (session.kind === "coordinator") return grants.get(session.instance) === session.grant;
    return isProcessAlive(processTable, session);
  };
}

const processId = /^([1-9]\d{0,9})-(\d{1,20})-([0-9a-f]{8})$/;
const coordinatorId = /^instance:([a-zA-Z][a-zA-Z0-9-]{0,62}):([0-9a-f]{32})$/;

function bootMark(bootId: string): string {
  return bootId.replaceAll("-", "").slice(0, 8).toLowerCase();
}

function isProcessAlive(
  processTable: ProcessTable,
  { pid, start, boot }: Session & { readonly kind: "process" },
): boolean {
  const bootId = processTable.bootId();
  return boot === bootMark(bootId) && isAlive(processTable, { pid, start, bootId });
}

function grantOf({ name, config }: InstanceSeen): [string, string][] {
  const { grant, network } = readStamp(config);
  return grant === undefined || network === "airgap" ? [] : [[name, grant]];
}
