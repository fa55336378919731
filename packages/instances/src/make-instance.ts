import { asFailure, Failure } from "@agent-control/base";
import type { InstanceAt, Keys } from "@agent-control/incus";
import { approvedTemplate, requireBuilt } from "./approved-template.ts";
import type { Branched, BranchRequest } from "./branching.ts";
import { requireHeld } from "./held-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { notStopped } from "./holding-refusals.ts";
import type { Created, CreateHolding, ForkHolding } from "./holdings.ts";
import { requireOwn, templateOf } from "./own-instance.ts";
import { removeInstance } from "./remove-instance.ts";
import { withReservedInstance } from "./reserve-instance.ts";
import { readStamp, stampConfig } from "./stamp.ts";
import { seeInstance, writeStamp } from "./stamp-write.ts";

/** Makes an instance of an approved, built template and gives it to this session. */
export async function createInstance(ports: HoldingPorts, request: CreateHolding): Promise<Created> {
  const template = await approvedTemplate(ports, request.template, request.limits);
  await requireBuilt(ports, template, request.signal);
  const made = await makeInstance(ports, request, { from: { template } });
  return { ...made, template: template.name, forkedFrom: undefined };
}

/** Makes a copy of one of this session's stopped instances, without its task records, if its template is still approved. */
export async function forkInstance(ports: HoldingPorts, request: ForkHolding): Promise<Created> {
  const seen = await seeInstance(ports.incus, request.source, request.signal);
  const { instance, stamp } = await requireHeld(ports, request.source, seen);
  const template = await approvedTemplate(ports, templateOf(stamp), request.limits);
  if (instance.status !== "Stopped") throw notStopped(request.source);
  const made = await makeInstance(ports, request, {
    from: { instance: request.source, template },
    finish: (name) => ports.guest.clearTasks(name, request.signal),
  });
  return { ...made, template: template.name, forkedFrom: request.source };
}

interface MakePlan {
  readonly from: BranchRequest["from"];
  /** What is left to do in the running copy before it is anybody's. */
  readonly finish?: (name: string) => Promise<void>;
}

async function makeInstance(
  ports: HoldingPorts,
  request: Omit<CreateHolding, "template">,
  plan: MakePlan,
): Promise<Branched> {
  const { hint, limits, signal, onStep } = request;
  const place = { template: plan.from.template.name, hint, maxInstances: limits.maxInstances, signal };
  return withReservedInstance(ports, place, async (name) => {
    try {
      const stamp = firstStamp(ports, request);
      const branched = await ports.branching.branch({
        name,
        from: plan.from,
        stamp,
        ...(onStep ? { onStep } : {}),
        ...(signal ? { signal } : {}),
      });
      await plan.finish?.(name);
      await markReady(ports, name);
      return branched;
    } catch (error) {
      await removeHalfMade(ports, name, error);
      throw error;
    }
  });
}

// Part of the copy request itself: there is no moment in which the instance is nobody's. No grant, whatever the template says.
function firstStamp(ports: HoldingPorts, request: Omit<CreateHolding, "template">): Keys {
  return stampConfig({
    mcpOwner: ports.owner,
    session: ports.session,
    purpose: request.purpose,
    client: request.client,
    state: "creating",
    counter: "1",
    grant: undefined,
    kept: undefined,
    orphaned: undefined,
    dormant: undefined,
    cpuSample: undefined,
  });
}

async function markReady(ports: HoldingPorts, name: string): Promise<void> {
  await writeStamp(ports, name, {
    decide: async (seen) => {
      await requireMade(ports, name, seen);
      return { state: "ready" };
    },
  });
}

async function requireMade(ports: HoldingPorts, name: string, seen: InstanceAt | undefined): Promise<void> {
  const own = await requireOwn(ports, name, seen);
  if (own.standing === "mine" && own.stamp.state === "creating") return;
  throw new Failure("error", {
    code: "instance-taken-away",
    message: `Instance ${name} was changed by somebody else while it was being created`,
    next: "Create another one",
    details: { instance: name },
  });
}

async function removeHalfMade(ports: HoldingPorts, name: string, reason: unknown): Promise<void> {
  try {
    await removeInstance(ports, name, { agrees: (seen) => isMaking(ports, seen) });
  } catch (error) {
    const [why, left] = [asFailure(reason), asFailure(error)];
    if (why === undefined || left === undefined) throw error;
    throw new Failure(why.outcome, {
      code: why.code,
      message: `${why.message}; what was made of ${name} could not be removed: ${left.message}`,
      next: `Call destroy_instance on ${name}, then create another one`,
      details: { ...why.details, instance: name },
      cause: reason,
    });
  }
}

// Also one that is stamped ready: whoever asked for it never heard of it.
function isMaking(ports: HoldingPorts, seen: InstanceAt): boolean {
  const stamp = readStamp(seen.config);
  return stamp.mcpOwner === ports.owner && stamp.session === ports.session;
}
