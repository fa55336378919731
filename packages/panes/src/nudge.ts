import type { Activity } from "@agent-control/activity";
import { Failure, throwIfCancelled } from "@agent-control/base";
import type { PanePorts } from "./subject.ts";

export interface Nudge {
  /** Resolves after `ms`, or at the next change of a record; throws `cancelled` at once by the signal. */
  wait(ms: number): Promise<void>;
  stop(): void;
}

/** Waits that a change of the status records cuts short, also one since the wait before. */
export function createNudge(ports: PanePorts, signal: AbortSignal): Nudge {
  let change = new AbortController();
  const stop = onChangeIfPossible(ports.activity, () => change.abort());
  return {
    stop,
    async wait(ms) {
      const woken = AbortSignal.any([signal, change.signal]);
      await ports.clock.sleep(ms, woken).catch((error: unknown) => {
        if (!woken.aborted) throw error;
      });
      throwIfCancelled(signal);
      if (change.signal.aborted) change = new AbortController();
    },
  };
}

// Without a watch (the kernel's limit is reached, say) the regular look is enough.
function onChangeIfPossible(activity: Activity, listener: () => void): () => void {
  try {
    return activity.onChange(listener);
  } catch (error) {
    if (error instanceof Failure) return () => {};
    throw error;
  }
}
