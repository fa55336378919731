import type { InstanceAt } from "@agent-control/incus";
import { discardInstance } from "./discard-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { type DecideStamp, writeStamp } from "./stamp-write.ts";

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
  if (!agreed) return false;
  // From here on nothing cancels it: an instance so stamped is of no use to anybody.
  await discardInstance(ports, name);
  await ports.tasks.forget(name);
  return true;
}
