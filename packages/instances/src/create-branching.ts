import { join } from "node:path";
import {
  asFailure,
  type Clock,
  type Files,
  type Locks,
  type Random,
  throwIfCancelled,
} from "@agent-control/base";
import type { CreateInstance, Incus, InstanceSeen, Keys } from "@agent-control/incus";
import { withAddress } from "./addresses.ts";
import { type BranchPlan, diskDevices, limitKeys, nameTaken, planBranch } from "./branch-plan.ts";
import type { Branched, Branching, BranchRequest } from "./branching.ts";
import { builtTemplates } from "./built-templates.ts";
import { discardInstance } from "./discard-instance.ts";
import type { Guest } from "./guest.ts";
import { type Bridge, type HostNames, requireBridge } from "./networks.ts";
import { maskedNics, nicDevice, nicName } from "./nic-devices.ts";
import { clearedStamp, readStamp, stampConfig } from "./stamp.ts";
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
    branch: (request) =>
      withName(own, request, async () => {
        const plan = planBranch(request, await settledInstances(own, request.signal), parts.owner);
        return carryOut(own, request, plan);
      }),
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

async function carryOut(parts: OwnParts, request: BranchRequest, plan: BranchPlan): Promise<Branched> {
  const { mode } = plan;
  if (mode === "airgap") return copyAndStart(parts, request, { ...plan, place: undefined });
  const bridge = await requireBridge(parts.incus, parts.names, { mode, signal: request.signal });
  const addresses = { ...parts, directory: parts.lockDirectory };
  return withAddress(addresses, bridge, (address) => {
    return copyAndStart(parts, request, { ...plan, place: { bridge, address } });
  });
}

interface PlacedPlan extends BranchPlan {
  readonly place: { readonly bridge: Bridge; readonly address: string } | undefined;
}

async function copyAndStart(parts: OwnParts, request: BranchRequest, plan: PlacedPlan): Promise<Branched> {
  const { name, signal, onStep } = request;
  const { place, workdir } = plan;
  throwIfCancelled(signal);
  onStep?.(`copying ${plan.source.name}`);
  try {
    await copy(parts, copyRequest(parts, request, plan), { template: plan.template, signal });
    throwIfCancelled(signal);
    if (request.start === false) return { name, address: undefined, workdir };
    onStep?.("waiting until it is usable");
    const attachment = place && { address: place.address, gateway: place.bridge.gateway };
    await waitUntilUsable(parts, name, { attachment, signal });
  } catch (error) {
    if (asFailure(error)?.code !== "name-taken") await discardInstance(parts, name);
    throw error;
  }
  return { name, address: place?.address, workdir };
}

// Incus cannot stop a copy half-way, so a cancelled one is waited for and then removed: there must be no instance left.
async function copy(
  { incus, templateLock }: OwnParts,
  create: CreateInstance,
  { template, signal }: { readonly template: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<void> {
  if (template === undefined) return incus.instances.create(create);
  const options = signal === undefined ? { waitMs: lockWaitMs } : { waitMs: lockWaitMs, signal };
  await templateLock.read(template, options, () => incus.instances.create(create));
}

/** The one request that makes the copy, with nothing of the source's stamp, grant or address left. */
function copyRequest(parts: OwnParts, request: BranchRequest, plan: PlacedPlan): CreateInstance {
  const { source, place } = plan;
  const nics = place
    ? { ...maskedNics(source.expandedDevices, nicName), [nicName]: nicDevice(place.bridge, place.address) }
    : maskedNics(source.expandedDevices);
  return {
    name: request.name,
    source: { type: "copy", instance: source.name },
    config: {
      ...clearedStamp(source.config),
      ...branchStamp(parts, request, plan),
      ...limitKeys(request),
      ...request.stamp,
    },
    devices: { ...diskDevices(request, source), ...nics },
    start: request.start !== false,
  };
}

function branchStamp(parts: OwnParts, { from }: BranchRequest, plan: PlacedPlan): Keys {
  const { defaultAction, shellCommand } = from.template.merged;
  const inherited = readStamp(plan.source.config);
  return stampConfig({
    type: "branch",
    profile: plan.template ?? inherited.profile ?? from.template.name,
    parent: plan.source.name,
    created: new Date(parts.clock.now()).toISOString(),
    network: plan.mode,
    address: plan.place?.address,
    workdir: plan.workdir,
    defaultAction,
    shellCommand,
    owner: parts.owner,
  });
}
