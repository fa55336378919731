import { type Clock, Failure, throwIfCancelled } from "@agent-control/base";
import type { Activity, StatusRecord } from "./activity.ts";

export interface TurnWait {
  readonly launchId: string;
  /** The `turnSequence` known before the prompt was sent; 0 when there was none. */
  readonly after: number;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Looks this often, milliseconds, even when no change is told. */
const lookEveryMs = 500;

/**
 * The launch's record once a turn newer than `after` began; undefined when none did in time. Woken by a change of
 * the records. Throws `cancelled` when the signal fires.
 */
export async function awaitTurn(activity: Activity, wait: TurnWait): Promise<StatusRecord | undefined> {
  const { launchId, after, clock, signal } = wait;
  const deadline = clock.monotonic() + wait.timeoutMs;
  const changes = watchChanges(activity);
  try {
    for (;;) {
      throwIfCancelled(signal);
      const change = changes.next();
      const record = await activity.ofLaunch(launchId);
      if (record && record.turnSequence > after) return record;
      const left = deadline - clock.monotonic();
      if (left <= 0) return undefined;
      await sleepUnless(change, Math.min(left, lookEveryMs), wait);
    }
  } finally {
    changes.stop();
  }
}

function watchChanges(activity: Activity) {
  let changed = new AbortController();
  const stop = onChangeIfPossible(activity, () => changed.abort());
  return {
    stop,
    /** Fires at the first change after this call. */
    next(): AbortSignal {
      if (changed.signal.aborted) changed = new AbortController();
      return changed.signal;
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

async function sleepUnless(change: AbortSignal, ms: number, { clock, signal }: TurnWait): Promise<void> {
  try {
    await clock.sleep(ms, AbortSignal.any([change, signal]));
  } catch (error) {
    if (!change.aborted || signal.aborted) throw error;
  }
}
