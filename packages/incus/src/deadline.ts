import type { Clock, Failure } from "@agent-control/base";

export interface Deadline {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  /** What is thrown when the time is over. */
  readonly late: () => Failure;
}

/** Runs the body with a signal that fires with the caller's, or when the time is over. */
export async function withDeadline<T>(
  { clock, ms, signal, late }: Deadline,
  body: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => over.abort(),
    () => {}, // The body was faster.
  );
  try {
    return await body(signal ? AbortSignal.any([signal, over.signal]) : over.signal);
  } catch (error) {
    throw over.signal.aborted && !signal?.aborted ? late() : error;
  } finally {
    done.abort();
  }
}
