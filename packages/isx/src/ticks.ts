import type { Clock } from "@agent-control/base";
import type { Call } from "@agent-control/mcp";

export interface TickOptions {
  readonly clock: Clock;
  readonly call: Call;
  /** What the progress notification says. */
  readonly say: () => string;
}

const everyMs = 2000;

/** Tells the client every two seconds that `body` still runs: some give up on a call that says nothing. */
export async function withTicks<T>({ clock, call, say }: TickOptions, body: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const tick = async () => {
    while (!over.signal.aborted) {
      // Ended early when the body is done.
      await clock.sleep(everyMs, over.signal).catch(() => {});
      if (!over.signal.aborted) call.progress(say());
    }
  };
  const ticking = tick();
  try {
    return await body();
  } finally {
    over.abort();
    await ticking;
  }
}
