import { asFailure, type Clock } from "@agent-control/base";

/**
 * Runs `body`, again while Incus says that another operation runs on the instance: a copy goes on at the daemon when
 * who asked for it has died. Gives up after two minutes with that Failure (`instance-busy`).
 */
export async function whenFree<T>(clock: Clock, body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const deadline = clock.monotonic() + longestMs;
  for (;;) {
    try {
      return await body();
    } catch (error) {
      if (asFailure(error)?.code !== "instance-busy" || clock.monotonic() >= deadline) throw error;
    }
    await clock.sleep(pauseMs, signal);
  }
}

const longestMs = 120_000;
const pauseMs = 250;
