import type { Clock } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import { whenFree } from "./when-free.ts";

export interface DiscardPorts {
  readonly incus: Pick<Incus, "instances">;
  readonly clock: Clock;
}

const mostTries = 5;

/**
 * Ends and deletes an instance at once, after whatever operation still runs on it; one that is not there is a success.
 * Nothing cancels it.
 */
export async function discardInstance(ports: DiscardPorts, name: string): Promise<void> {
  const { instances } = ports.incus;
  for (let tries = 1; (await instances.get(name)) !== undefined; tries += 1) {
    try {
      await stopAndDelete(ports, name);
    } catch (error) {
      // Whoever made it may have died before it was started, which the daemon then still does; or somebody else
      // discards it too.
      if (tries === mostTries && (await instances.get(name)) !== undefined) throw error;
    }
  }
}

async function stopAndDelete({ incus, clock }: DiscardPorts, name: string): Promise<void> {
  await whenFree(clock, () => incus.instances.stop(name, { force: true }));
  await whenFree(clock, () => incus.instances.delete(name));
}
