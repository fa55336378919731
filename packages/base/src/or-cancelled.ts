import { cancelled } from "./failure.ts";

/** The promise's result, or the `cancelled` Failure as soon as the signal fires, whatever the promise still does. */
export function orCancelled<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(cancelled(signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
