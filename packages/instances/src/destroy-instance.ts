import { requireMine } from "./held-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { keptInstance, unfinishedInstance } from "./holding-refusals.ts";
import { requireOwn } from "./own-instance.ts";
import { removeInstance } from "./remove-instance.ts";
import { createReservations } from "./reservations.ts";

/** Destroys an instance of this session; one that is gone is a success, one that was given to the person is refused. */
export async function destroyInstance(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly already: boolean }> {
  const reservations = createReservations(ports.files, ports.directory);
  const destroyed = await removeInstance(ports, name, {
    signal,
    agrees: async (seen) => {
      const own = await requireOwn(ports, name, seen);
      requireMine(own, name);
      if (own.stamp.kept !== undefined) throw keptInstance(name);
      if (own.stamp.state === "creating" && reservations.has(name)) throw unfinishedInstance(name);
      return true;
    },
  });
  return { already: !destroyed };
}
