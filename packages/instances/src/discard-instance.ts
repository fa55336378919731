import type { Clock } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import { whenFree } from "./when-free.ts";

export interface DiscardPorts {
  readonly incus: Pick<Incus, "instances">;
  readonly clock: Clock;
}

/**
 * Ends and deletes an instance at once, after whatever operation still runs on it; one that is not there is a success.
 * Nothing cancels it.
 */
export async function discardInstance({ incus, clock }: DiscardPorts, name: string): Promise<void> {
  const { instances } = incus;
  const seen = await instances.get(name);
  if (seen === undefined) return;
  try {
    if (seen.status !== "Stopped") await whenFree(clock, () => instances.stop(name, { force: true }));
    await whenFree(clock, () => instances.delete(name));
  } catch (error) {
    // Another process may have discarded it meanwhile.
    if ((await instances.get(name)) !== undefined) throw error;
  }
}
