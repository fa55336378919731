import type { InstanceAt } from "@agent-control/incus";
import { renderMark } from "./holder-mark.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { readStamp } from "./stamp.ts";
import { writeStamp } from "./stamp-write.ts";
import { withStopLock } from "./stop-lock.ts";

export interface DormantStopPorts extends Pick<HoldingPorts, "incus" | "clock" | "locks" | "directory"> {
  readonly tasks: Pick<HoldingPorts["tasks"], "forget">;
}

/**
 * Stops an orphan whose agent shows no life, while `agrees` still says so of what is there. The stamp comes before
 * the stop and is taken back when the stop fails. False when `agrees` said no.
 */
export function stopDormant(
  ports: DormantStopPorts,
  name: string,
  options: { readonly agrees: (seen: InstanceAt) => boolean; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  return withStopLock(ports, name, options.signal, async () => {
    let agreed = false;
    await writeStamp(ports, name, {
      signal: options.signal,
      decide: (seen) => {
        agreed = seen !== undefined && options.agrees(seen);
        if (seen === undefined || !agreed) return undefined;
        const holder = readStamp(seen.config).session ?? "";
        return { state: "stopping", dormant: renderMark(ports.clock.now(), holder) };
      },
    });
    if (agreed) await stopStamped(ports, name);
    return agreed;
  });
}

/** Ends what a cut-off dormant stop left: it counts as dormant if it did stop. */
export async function endStopping(ports: DormantStopPorts, name: string): Promise<void> {
  await writeStamp(ports, name, {
    mayStop: true,
    decide: (seen) => {
      if (seen === undefined || readStamp(seen.config).state !== "stopping") return undefined;
      return seen.status === "Stopped" ? { state: "ready" } : { state: "ready", dormant: undefined };
    },
  });
}

async function stopStamped(ports: DormantStopPorts, name: string): Promise<void> {
  try {
    const stopped = await ports.incus.instances.stop(name, { graceS });
    if (!stopped) await ports.incus.instances.stop(name, { force: true });
    await ports.tasks.forget(name);
  } finally {
    await endStopping(ports, name);
  }
}

const graceS = 10;
