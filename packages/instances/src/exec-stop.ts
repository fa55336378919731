import type { Clock } from "@agent-control/base";
import type { GuestExec } from "./guest.ts";

export type StopReason = "timed-out" | "cancelled";

/** Why the command must not go on, when that comes before `running` settles; else undefined. */
export async function reasonToStop(
  clock: Pick<Clock, "sleep">,
  { timeoutMs, signal }: Pick<GuestExec, "timeoutMs" | "signal">,
  running: Promise<unknown>,
): Promise<StopReason | undefined> {
  const settled = new AbortController();
  const reason = new Promise<StopReason>((resolve) => {
    if (signal?.aborted) resolve("cancelled");
    signal?.addEventListener("abort", () => resolve("cancelled"), { signal: settled.signal });
    if (timeoutMs === undefined) return;
    clock.sleep(timeoutMs, settled.signal).then(
      () => resolve("timed-out"),
      () => undefined, // it ended in time
    );
  });
  try {
    return await Promise.race([reason, running.then(nothing, nothing)]);
  } finally {
    settled.abort();
  }
}

/**
 * Calls `end` until `running` settles: a command that was about to start when it was first called is found by the
 * next call. Gives up after three.
 */
export async function endUntilSettled(
  clock: Pick<Clock, "sleep">,
  running: Promise<unknown>,
  end: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await end();
    const settled = await Promise.race([running.then(yes, yes), clock.sleep(settleMs).then(() => false)]);
    if (settled) return;
  }
}

const settleMs = 300;
const nothing = () => undefined;
const yes = () => true;
