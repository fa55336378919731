import type { Clock } from "@agent-control/base";

export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The body's result, or undefined when the time was up first; its signal fires then and when the caller's does. */
export async function within<T>(
  clock: Pick<Clock, "sleep">,
  { timeoutMs, signal }: TimeLimit,
  body: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const done = new AbortController();
  const late = new AbortController();
  clock.sleep(timeoutMs, done.signal).then(
    () => late.abort(),
    () => undefined, // the body was faster
  );
  try {
    return await body(signal ? AbortSignal.any([late.signal, signal]) : late.signal);
  } catch (error) {
    if (late.signal.aborted && !signal?.aborted) return undefined;
    throw error;
  } finally {
    done.abort();
  }
}
