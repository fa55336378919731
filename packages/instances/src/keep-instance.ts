import { requireHeld } from "./held-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { writeStamp } from "./stamp-write.ts";

/** Gives an instance of this session to the person for good; this session may go on using it. */
export async function keepInstance(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await writeStamp(ports, name, {
    signal,
    decide: async (seen) => {
      const { stamp } = await requireHeld(ports, name, seen);
      return stamp.kept === undefined ? { kept: new Date(ports.clock.now()).toISOString() } : undefined;
    },
  });
}
