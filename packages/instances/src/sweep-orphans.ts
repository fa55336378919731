import { join } from "node:path";
import { asFailure } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import { sessionLife } from "./session.ts";
import { readStamp } from "./stamp.ts";
import { sweepInstance } from "./sweep-instance.ts";
import { createTurn, type SweepOptions, type SweepPorts, type SweepTurn, type Swept } from "./sweep-turn.ts";

/**
 * Looks once after everything that dead sessions of this user left: finishes what they were in the middle of, lets
 * the grace of new orphans begin, destroys those past it that are not in use and stops those whose agent shows no
 * life. Nothing that is held, kept or another user's is touched, and what somebody adopts meanwhile is left.
 * Undefined when another process of this user is sweeping. A failure with one instance ends only its own turn.
 */
export async function sweepOrphans(
  ports: SweepPorts,
  options: SweepOptions,
): Promise<readonly Swept[] | undefined> {
  const lock = { waitMs: 0, what: "the sweep of orphans" };
  try {
    return await ports.locks.hold(join(ports.directory, "sweep.lock"), lock, () => sweepAll(ports, options));
  } catch (error) {
    if (asFailure(error)?.code === "busy") return undefined;
    throw error;
  }
}

async function sweepAll(ports: SweepPorts, options: SweepOptions): Promise<readonly Swept[]> {
  const listing = await ports.incus.instances.list(options.signal ? { signal: options.signal } : {});
  const isAlive = sessionLife(ports.processTable, listing);
  const swept: Swept[] = [];
  for (const instance of listing) {
    if (readStamp(instance.config).mcpOwner !== ports.owner) continue;
    const turn = createTurn(ports, options, { name: instance.name, isAlive });
    swept.push(await sweepSafely(turn, instance));
  }
  return swept;
}

async function sweepSafely(turn: SweepTurn, instance: InstanceSeen): Promise<Swept> {
  try {
    return await sweepInstance(turn, instance);
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.outcome === "cancelled") throw error;
    return { instance: turn.name, did: "failed", why: failure.message };
  }
}
