import { asFailure, type Clock } from "@agent-control/base";

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once when the other operation lasts longer than any stop's grace. Without it the wait ends with the
   * Failure after 30 s, with it after two minutes.
   */
  readonly onStuck?: (() => Promise<void>) | undefined;
}

/**
 * Runs `body`, again while Incus says that another operation runs on the instance (`instance-busy`): a copy or a stop
 * goes on at the daemon when who asked for it has died.
 */
export async function whenFree<T>(clock: Clock, body: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
  const began = clock.monotonic();
  let { onStuck } = waiting;
  const longestMs = onStuck ? 120_000 : 30_000;
  for (;;) {
    try {
      return await body();
    } catch (error) {
      if (!isBusy(error) || clock.monotonic() - began >= longestMs) throw error;
    }
    await clock.sleep(pauseMs, waiting.signal);
    if (onStuck && clock.monotonic() - began >= stuckMs) {
      await onStuck();
      onStuck = undefined;
    }
  }
}

/** True for the Failure that says that another operation runs on the instance. */
export function isBusy(error: unknown): boolean {
  return asFailure(error)?.code === "instance-busy";
}

const pauseMs = 250;
const stuckMs = 12_000;
