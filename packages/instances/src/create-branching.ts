import { join } from "node:path";
import {
  asFailure,
  type Clock,
  Failure,
  type Files,
  type Locks,
  type Random,
  throwIfCancelled,
} from "@agent-control/base";
import type { Incus, InstanceSeen } from "@agent-control/incus";
import { withAddress } from "./addresses.ts";
import { type BranchPlan, nameTaken, planBranch } from "./branch-plan.ts";
import type { Branched, Branching, BranchRequest } from "./branching.ts";
import { builtTemplates } from "./built-templates.ts";
import { copyRequest, type PlacedPlan } from "./copy-request.ts";
import { discardInstance } from "./discard-instance.ts";
import type { Guest } from "./guest.ts";
import { type HostNames, requireBridge } from "./networks.ts";
import { createTemplateLock, type TemplateLock } from "./template-lock.ts";
import { settleSwap, unsettledSwaps } from "./template-swap.ts";
import type { Templates } from "./templates.ts";
import { waitUntilUsable } from "./usable.ts";

export interface BranchingParts {
  readonly incus: Incus;
  readonly guest: Pick<Guest, "waitForBoot">;
  readonly templates: Templates;
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: Random;
  readonly names: HostNames;
  /** `<uid>:<name>` of this user. */
  readonly owner: string;
  /** For locks; the same for everything that isx runs for this user. */
  readonly lockDirectory: string;
}

const lockWaitMs = 120_000;

/** Branching at a real daemon, or at one that behaves the same. */
export function createBranching(parts: BranchingParts): Branching {
  const directory = parts.lockDirectory;
  const templateLock = createTemplateLock({ ...parts, directory });
  const own = { ...parts, templateLock };
  return {
    async built(signal) {
      const [instances, trusted, all] = await Promise.all([
        settledInstances(own, signal),
        parts.templates.trusted(),
        parts.templates.all(),
      ]);
      return builtTemplates(instances, parts.owner, { trusted, all });
    },
    branch: (request) => withName(own, request, () => branch(own, request)),
  };
}

interface OwnParts extends BranchingParts {
  readonly templateLock: TemplateLock;
}

/** Every instance of the project, after a swap that somebody's death left half done was finished. */
async function settledInstances(parts: OwnParts, signal?: AbortSignal): Promise<readonly InstanceSeen[]> {
  const instances = await parts.incus.instances.list(listOptions(signal));
  const missing = unsettledSwaps(instances, parts.owner).filter((name) => {
    return !instances.some((seen) => seen.name === name);
  });
  if (missing.length === 0) return instances;
  for (const template of missing) await settleSwap(parts, template, signal);
  return parts.incus.instances.list(listOptions(signal));
}

function listOptions(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Nobody else of this user makes an instance of the name meanwhile, so that what is there is our own to remove. */
async function withName<T>(parts: OwnParts, { name }: BranchRequest, body: () => Promise<T>): Promise<T> {
  const path = join(parts.lockDirectory, `name-${encodeURIComponent(name).slice(0, 100)}`);
  let entered = false;
  try {
    return await parts.locks.hold(path, { waitMs: 0, what: `the name ${name}` }, () => {
      entered = true;
      return body();
    });
  } catch (error) {
    if (!entered && asFailure(error)?.code === "busy") throw nameTaken(name);
    throw error;
  }
}

async function branch(parts: OwnParts, request: BranchRequest): Promise<Branched> {
  const { name, signal, onStep } = request;
  const { workdir, place } = await copySource(parts, request);
  if (request.start === false) return { name, address: undefined, workdir };
  try {
    onStep?.("waiting until it is usable");
    const attachment = place && { address: place.address, gateway: place.bridge.gateway };
    await waitUntilUsable(parts, name, { attachment, signal });
  } catch (error) {
    await discardInstance(parts, name);
    throw error;
  }
  return { name, address: place?.address, workdir };
}

/** Looks, decides and copies while nobody swaps the template for another image. */
async function copySource(parts: OwnParts, request: BranchRequest): Promise<PlacedPlan> {
  const { from, signal } = request;
  await settledInstances(parts, signal);
  const look = async (): Promise<PlacedPlan> => {
    const instances = await parts.incus.instances.list(listOptions(signal));
    return placeAndCopy(parts, request, planBranch(request, instances, parts.owner));
  };
  if ("instance" in from) return look();
  return parts.templateLock.read(from.template.name, { waitMs: lockWaitMs, ...listOptions(signal) }, look);
}

async function placeAndCopy(parts: OwnParts, request: BranchRequest, plan: BranchPlan): Promise<PlacedPlan> {
  const { mode } = plan;
  if (mode === "airgap") return copy(parts, request, { ...plan, place: undefined });
  const bridge = await requireBridge(parts.incus, parts.names, { mode, signal: request.signal });
  const addresses = { ...parts, directory: parts.lockDirectory };
  return withAddress(addresses, bridge, (address) => {
    return copy(parts, request, { ...plan, place: { bridge, address } });
  });
}

// Incus cannot stop a copy half-way, so a cancelled one is waited for and then removed: there must be no instance left.
async function copy(parts: OwnParts, request: BranchRequest, plan: PlacedPlan): Promise<PlacedPlan> {
  const { instances } = parts.incus;
  throwIfCancelled(request.signal);
  request.onStep?.(`copying ${plan.source.name}`);
  const before = await instances.get(plan.source.name);
  try {
    await instances.create(copyRequest(parts, request, plan));
    throwIfCancelled(request.signal);
    const after = await instances.get(plan.source.name);
    if (before?.status !== "Stopped" || before.etag !== after?.etag) throw changedMeanwhile(plan.source.name);
  } catch (error) {
    if (asFailure(error)?.code !== "name-taken") await discardInstance(parts, request.name);
    throw error;
  }
  return plan;
}

function changedMeanwhile(source: string): Failure {
  return new Failure("refused", {
    code: "source-changed",
    message: `${source} was started or changed while it was copied, so the copy would be of no certain state`,
    next: "Leave it stopped and branch again",
  });
}
