import { join } from "node:path";
import { asFailure } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import type { BuildParts } from "./build-parts.ts";
import { discardInstance } from "./discard-instance.ts";
import { readStamp } from "./stamp.ts";
import { settleSwap, templateParts, unsettledSwaps } from "./template-swap.ts";

/** Finishes swaps and removes half-built instances whose process is gone; says what it did. */
export async function repairBuilds(
  parts: Pick<BuildParts, "incus" | "clock" | "locks" | "lockDirectory" | "owner" | "templateLock">,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const instances = await parts.incus.instances.list(signal === undefined ? {} : { signal });
  const done: string[] = [];
  for (const template of unsettledSwaps(instances, parts.owner)) {
    await settleSwap(parts, template, signal);
    done.push(`The template ${template} was put in place`);
  }
  for (const template of halfBuilt(instances, parts.owner)) {
    if (await removeHalfBuilt(parts, template)) done.push(`The half-built image of ${template} was removed`);
  }
  return done;
}

function halfBuilt(instances: readonly InstanceSeen[], owner: string): readonly string[] {
  return instances.flatMap(({ name, config }) => {
    const { type, profile, owner: by } = readStamp(config);
    const isOurs = type === "rebuilding" && by === owner && profile !== undefined;
    return isOurs && name === templateParts.rebuilding(profile) ? [profile] : [];
  });
}

/** False when somebody builds it now. */
async function removeHalfBuilt(
  { incus, clock, locks, lockDirectory }: Pick<BuildParts, "incus" | "clock" | "locks" | "lockDirectory">,
  template: string,
): Promise<boolean> {
  const path = join(lockDirectory, `${template}.build`);
  const instance = templateParts.rebuilding(template);
  try {
    return await locks.hold(path, { waitMs: 0, what: `the build of ${template}` }, async () => {
      const seen = await incus.instances.get(instance);
      if (!seen || readStamp(seen.config).type !== "rebuilding") return false;
      await discardInstance({ incus, clock }, instance);
      return true;
    });
  } catch (error) {
    if (asFailure(error)?.code === "busy") return false;
    throw error;
  }
}
