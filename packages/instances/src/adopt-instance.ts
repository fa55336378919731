import { asFailure, Failure, plainText, shownText } from "@agent-control/base";
import type { InstanceAt } from "@agent-control/incus";
import { requireApproved } from "./approved-template.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import {
  coordinatedInstance,
  halfMadeInstance,
  heldInstance,
  keptInstance,
  unfinishedInstance,
  unusualStatus,
  vanishingInstance,
} from "./holding-refusals.ts";
import type { Adopted, AdoptOptions } from "./holdings.ts";
import { knownTasks } from "./known-tasks.ts";
import { type OwnInstance, requireOwn, templateOf } from "./own-instance.ts";
import { parseSession } from "./session.ts";
import { type StampChange, writeStamp } from "./stamp-write.ts";
import { withStopLock } from "./stop-lock.ts";
import { wakeInstance } from "./wake-instance.ts";

/**
 * Gives an instance to this session: an orphan, or with `force` one that another live session holds, never one of a
 * coordinator that still exists. Of several who want it at once, or a sweep that would destroy it, exactly one wins.
 * A stopped orphan is started; if that fails (`unavailable`) it is this session's all the same. Adopting what this
 * session holds already changes nothing.
 */
export async function adoptInstance(
  ports: HoldingPorts,
  name: string,
  options: AdoptOptions,
): Promise<Adopted> {
  const { instance, stamp, standing } = await takeOver(ports, name, options);
  if (standing === "orphaned") await wakeOrphan(ports, instance, options.signal);
  const known = await knownTasks(ports, name, options.signal);
  return {
    name,
    template: templateOf(stamp),
    purpose: stamp.purpose === undefined ? undefined : plainText(stamp.purpose),
    ...known,
  };
}

// Under the lock of a dormant stop, so that no sweep stops the instance just after it changed hands.
function takeOver(
  ports: HoldingPorts,
  name: string,
  options: AdoptOptions,
): Promise<OwnInstance<InstanceAt>> {
  return withStopLock(ports, name, options.signal, async () => {
    let own: OwnInstance<InstanceAt> | undefined;
    await writeStamp(ports, name, {
      mayStop: true,
      signal: options.signal,
      decide: async (seen) => {
        own = await requireOwn(ports, name, seen);
        return adoption(ports, own, options);
      },
    });
    if (own === undefined) throw new Error("a stamp was written without a look at the instance");
    return own;
  });
}

/** The stamp that makes it this session's; undefined when it is already; a refusal when it cannot be. */
function adoption(
  ports: HoldingPorts,
  { instance, stamp, standing }: OwnInstance<InstanceAt>,
  options: AdoptOptions,
): StampChange | undefined {
  const { name } = instance;
  if (stamp.state === "destroying") throw vanishingInstance(name);
  if (stamp.state === "creating") {
    throw standing === "orphaned" ? halfMadeInstance(name) : unfinishedInstance(name);
  }
  if (standing === "mine") return undefined;
  if (stamp.kept !== undefined) throw keptInstance(name);
  requireApproved(templateOf(stamp), options.limits);
  if (standing === "held") requireForce(name, { stamp, force: options.force });
  return {
    session: ports.session,
    client: options.client,
    state: "ready",
    orphaned: undefined,
    dormant: undefined,
    cpuSample: undefined,
  };
}

function requireForce(
  name: string,
  { stamp, force }: { readonly stamp: OwnInstance["stamp"]; readonly force: boolean },
): void {
  if (parseSession(stamp.session ?? "")?.kind === "coordinator") throw coordinatedInstance(name, stamp);
  if (!force) throw heldInstance(name, stamp);
}

async function wakeOrphan(
  ports: HoldingPorts,
  { name, status }: InstanceAt,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (status === "Running") return;
  if (status !== "Stopped") throw unusualStatus(name, status);
  try {
    await wakeInstance(ports, name, signal);
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.outcome === "cancelled") throw error;
    throw new Failure("unavailable", {
      code: "instance-not-started",
      message: `Instance ${shownText(name)} is this session's now but could not be started: ${failure.message}`,
      next: "Call start_instance to try again",
      details: { instance: name },
      cause: failure,
    });
  }
}
