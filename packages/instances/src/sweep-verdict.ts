import type { InstanceSeen } from "@agent-control/incus";
import { markedAt } from "./holder-mark.ts";
import { isOrphan } from "./own-instance.ts";
import type { SessionLife } from "./session.ts";
import { readStamp, type Stamp } from "./stamp.ts";

/** How long orphans live, in hours. */
export interface OrphanLimits {
  readonly orphanGraceHours: number;
  readonly dormantAfterHours: number;
  readonly dormantGraceHours: number;
}

export type Verdict =
  | { readonly do: "leave"; readonly why: string }
  /** Its holder was not yet seen dead: its grace begins. */
  | { readonly do: "mark" }
  /** A dormant stop was cut off. */
  | { readonly do: "unmark-stopping" }
  /** It runs, and only its guest knows whether it is in use. */
  | { readonly do: "probe" }
  | { readonly do: "destroy"; readonly why: string };

export interface VerdictView {
  readonly owner: string;
  readonly isAlive: SessionLife;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly limits: OrphanLimits;
}

/** What a sweep does with an instance, by its stamp and status alone. */
export function sweepVerdict({ config, status }: InstanceSeen, view: VerdictView): Verdict {
  const stamp = readStamp(config);
  if (stamp.mcpOwner !== view.owner) return { do: "leave", why: "not this user's" };
  if (stamp.kept !== undefined) return { do: "leave", why: "given to the person" };
  return leftoverVerdict(stamp, view) ?? orphanVerdict(stamp, status, view);
}

/** What a dead process was in the middle of. */
function leftoverVerdict(stamp: Stamp, { isAlive }: VerdictView): Verdict | undefined {
  const orphan = isOrphan(stamp, isAlive);
  if (stamp.state === "destroying" && orphan) return { do: "destroy", why: "its destruction was cut off" };
  if (stamp.state === "creating" && orphan) return { do: "destroy", why: "its creation was cut off" };
  if (stamp.state === "stopping") return { do: "unmark-stopping" };
  return undefined;
}

function orphanVerdict(stamp: Stamp, status: string, view: VerdictView): Verdict {
  if (!isOrphan(stamp, view.isAlive)) return { do: "leave", why: "its session lives" };
  const orphanedAt = markedAt(stamp.orphaned, stamp.session);
  if (orphanedAt === undefined) return { do: "mark" };
  const { orphanGraceHours, dormantGraceHours } = view.limits;
  if (!isOver(orphanedAt, orphanGraceHours, view)) return { do: "leave", why: "within orphan-grace-hours" };
  if (status === "Running") return { do: "probe" };
  if (status !== "Stopped") return { do: "leave", why: `its status is ${status}` };
  const dormantAt = markedAt(stamp.dormant, stamp.session);
  if (dormantAt === undefined) return { do: "destroy", why: "an orphan past orphan-grace-hours" };
  if (!isOver(dormantAt, dormantGraceHours, view)) return { do: "leave", why: "within dormant-grace-hours" };
  return { do: "destroy", why: "dormant past dormant-grace-hours" };
}

function isOver(sinceMs: number, hours: number, { nowMs }: VerdictView): boolean {
  return nowMs - sinceMs >= hours * 3_600_000;
}
