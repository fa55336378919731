import type { Clock } from "@agent-control/base";
import type { CreateInstance, Keys } from "@agent-control/incus";
import { type BranchPlan, diskDevices, limitKeys } from "./branch-plan.ts";
import type { BranchRequest } from "./branching.ts";
import type { Bridge } from "./networks.ts";
import { maskedNics, nicDevice, nicName } from "./nic-devices.ts";
import { clearedStamp, readStamp, stampConfig } from "./stamp.ts";

export interface PlacedPlan extends BranchPlan {
  /** Undefined: without a network. */
  readonly place: { readonly bridge: Bridge; readonly address: string } | undefined;
}

/** The one request that makes the copy, with nothing of the source's stamp, grant or address left. */
export function copyRequest(
  parts: { readonly clock: Clock; readonly owner: string },
  request: BranchRequest,
  plan: PlacedPlan,
): CreateInstance {
  const { source, place } = plan;
  const nics = place
    ? { ...maskedNics(source.expandedDevices, nicName), [nicName]: nicDevice(place.bridge, place.address) }
    : maskedNics(source.expandedDevices);
  return {
    name: request.name,
    source: { type: "copy", instance: source.name },
    config: {
      ...clearedStamp(source.config),
      ...stampOf(parts, request, plan),
      ...limitKeys(request),
      ...request.stamp,
    },
    devices: { ...diskDevices(request, source), ...nics },
    start: request.start !== false,
  };
}

function stampOf(
  { clock, owner }: { readonly clock: Clock; readonly owner: string },
  { from }: BranchRequest,
  { source, template, mode, place, workdir }: PlacedPlan,
): Keys {
  const { defaultAction, shellCommand } = from.template.merged;
  return stampConfig({
    type: "branch",
    profile: template ?? readStamp(source.config).profile ?? from.template.name,
    parent: source.name,
    created: new Date(clock.now()).toISOString(),
    network: mode,
    address: place?.address,
    workdir,
    defaultAction,
    shellCommand,
    owner,
  });
}
