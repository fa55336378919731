import type { InstanceAt } from "@agent-control/incus";
import type { HoldingPorts } from "./holding-ports.ts";
import { type DecideStamp, seeInstance, writeStamp } from "./stamp-write.ts";
import { whenFree } from "./when-free.ts";

export interface RemovePorts extends Pick<HoldingPorts, "incus" | "clock"> {
  readonly tasks: Pick<HoldingPorts["tasks"], "forget">;
}

/**
 * Destroys an instance in the one safe order: stamps it as being destroyed while `agrees` still says so of what is
 * there (it may throw a refusal), then stops and deletes it. False when nothing was there or `agrees` said no. What
 * a failure or a crash leaves is stamped `destroying` and can only be destroyed.
 */
export async function removeInstance(
  ports: RemovePorts,
  name: string,
  options: {
    readonly agrees: (seen: InstanceAt) => boolean | Promise<boolean>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<boolean> {
  let agreed = false;
  const decide: DecideStamp = async (seen) => {
    agreed = seen !== undefined && (await options.agrees(seen));
    return agreed ? { state: "destroying" } : undefined;
  };
  await writeStamp(ports, name, { decide, mayStop: true, signal: options.signal });
  if (agreed) await deleteStamped(ports, name);
  return agreed;
}

// From here on nothing cancels it: an instance so stamped is of no use to anybody.
async function deleteStamped(ports: RemovePorts, name: string): Promise<void> {
  try {
    await whenFree(ports.clock, () => ports.incus.instances.stop(name, { force: true }));
    await whenFree(ports.clock, () => ports.incus.instances.delete(name));
  } catch (error) {
    if ((await seeInstance(ports.incus, name)) !== undefined) throw error;
  }
  await ports.tasks.forget(name);
}
