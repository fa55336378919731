import type { Clock } from "@agent-control/base";
import type { Incus, InstanceSeen } from "@agent-control/incus";
import { readStamp } from "./stamp.ts";
import type { TemplateLock } from "./template-lock.ts";
import { whenFree } from "./when-free.ts";

/** The instances that a template may be while it is rebuilt. */
export const templateParts = {
  /** Being built; when it is complete its stamp says `template`. */
  rebuilding: (template: string) => `${template}-rebuilding`,
  /** The old one, out of the way of the new one. */
  replaced: (template: string) => `${template}-replaced`,
  failed: (template: string) => `${template}-failed-build`,
} as const;

export interface SwapParts {
  readonly incus: Pick<Incus, "instances">;
  readonly clock: Clock;
  readonly templateLock: TemplateLock;
  /** `<uid>:<name>` of this user. */
  readonly owner: string;
}

export type SwapStep = "put old aside" | "put new in place" | "put old back" | "delete old" | "done";

const waitMs = 120_000;

/**
 * Puts a completely built template in the place of the old one, or finishes a swap that was interrupted: whatever
 * instances are there, a template that was built is there under its own name afterwards. Does nothing when there
 * is nothing to do.
 */
export async function settleSwap(parts: SwapParts, template: string, signal?: AbortSignal): Promise<void> {
  const options = signal === undefined ? { waitMs } : { waitMs, signal };
  await parts.templateLock.write(template, options, () => takeSteps(parts, template));
}

/** The templates that a swap left in a state between the old and the new one. */
export function unsettledSwaps(instances: readonly InstanceSeen[], owner: string): readonly string[] {
  const templates = new Set(instances.flatMap(({ config }) => readStamp(config).profile ?? []));
  return [...templates].filter((template) => nextSwapStep(template, instances, owner) !== "done");
}

/** What has to be done next, seen from the instances alone, so that it does not matter who did what before. */
export function nextSwapStep(template: string, instances: readonly InstanceSeen[], owner: string): SwapStep {
  const isThere = (name: string): boolean => {
    return instances.some((seen) => seen.name === name && isComplete(seen, template, owner));
  };
  const isNewThere = isThere(templateParts.rebuilding(template));
  const isOldAside = isThere(templateParts.replaced(template));
  const isInPlace = isThere(template);
  if (isInPlace && isOldAside) return "delete old";
  if (isInPlace) return isNewThere ? "put old aside" : "done";
  if (isNewThere) return "put new in place";
  return isOldAside ? "put old back" : "done";
}

/** True for an instance that stands for the template and is whole, whatever it is called now. */
export function isComplete({ config }: InstanceSeen, template: string, owner: string): boolean {
  const stamp = readStamp(config);
  return stamp.type === "template" && stamp.profile === template && stamp.owner === owner;
}

async function takeSteps(parts: SwapParts, template: string): Promise<void> {
  let failed: { readonly step: SwapStep; readonly error: unknown } | undefined;
  for (;;) {
    const step = nextSwapStep(template, await parts.incus.instances.list(), parts.owner);
    if (step === "done") return;
    // What a process that died had asked for may have been done meanwhile: then another step is next.
    if (failed?.step === step) throw failed.error;
    try {
      await whenFree(parts.clock, () => takeStep(parts.incus, template, step));
    } catch (error) {
      failed = { step, error };
    }
  }
}

async function takeStep(
  { instances }: Pick<Incus, "instances">,
  template: string,
  step: Exclude<SwapStep, "done">,
): Promise<void> {
  const { rebuilding, replaced } = templateParts;
  if (step === "put old aside") await instances.rename(template, replaced(template));
  else if (step === "put new in place") await instances.rename(rebuilding(template), template);
  else if (step === "put old back") await instances.rename(replaced(template), template);
  else await instances.delete(replaced(template));
}
