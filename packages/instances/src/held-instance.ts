import type { InstanceAt } from "@agent-control/incus";
import type { HoldingPorts } from "./holding-ports.ts";
import {
  halfMadeInstance,
  heldInstance,
  keptInstance,
  orphanedInstance,
  unfinishedInstance,
  vanishingInstance,
} from "./holding-refusals.ts";
import { type OwnInstance, requireOwn } from "./own-instance.ts";

/** The instance, if this session holds it and may use it now; each other case is its own refusal. */
export async function requireHeld(
  ports: HoldingPorts,
  name: string,
  seen: InstanceAt | undefined,
): Promise<OwnInstance<InstanceAt>> {
  const own = await requireOwn(ports, name, seen);
  requireMine(own, name);
  if (own.stamp.state === "destroying") throw vanishingInstance(name);
  if (own.stamp.state === "creating") throw unfinishedInstance(name);
  return own;
}

/** Refuses an instance that another session holds or nobody, whatever is being done with it. */
export function requireMine({ standing, stamp }: OwnInstance, name: string): void {
  if (standing === "mine") return;
  if (stamp.kept !== undefined) throw keptInstance(name);
  if (stamp.state === "destroying") throw vanishingInstance(name);
  if (stamp.state === "creating") {
    throw standing === "held" ? unfinishedInstance(name) : halfMadeInstance(name);
  }
  throw standing === "held" ? heldInstance(name, stamp) : orphanedInstance(name);
}
