import { Failure } from "@agent-control/base";
import { type DiscardPorts, discardInstance } from "./discard-instance.ts";
import { stampConfig } from "./stamp.ts";
import { templateParts } from "./template-swap.ts";
import { whenFree } from "./when-free.ts";

/** Keeps a half-built instance under its own name, stopped; false when there is none. The one kept before is removed. */
export async function keepFailedBuild({ incus, clock }: DiscardPorts, template: string): Promise<boolean> {
  const instance = templateParts.rebuilding(template);
  const failed = templateParts.failed(template);
  const seen = await incus.instances.get(instance);
  if (!seen) return false;
  if (seen.status !== "Stopped") await whenFree(clock, () => incus.instances.stop(instance, { force: true }));
  await discardInstance({ incus, clock }, failed);
  await incus.instances.rename(instance, failed);
  const renamed = await incus.instances.get(failed);
  const config = stampConfig({ type: "failed-build" });
  if (renamed) await incus.instances.change(failed, { config }, renamed.etag);
  return true;
}

/** The Failure of a build, which says what failed and where it can be looked at. */
export function failedBuild(template: string, failure: Failure, kept: boolean): Failure {
  const where = kept ? `; what was built so far is kept as ${templateParts.failed(template)}` : "";
  return new Failure(failure.outcome, {
    code: "build-failed",
    message: `The build of ${template} failed: ${failure.message}`,
    next: `${failure.next}${where}`,
    details: { ...failure.details, template, reason: failure.code },
    cause: failure,
  });
}
