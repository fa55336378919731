import type { Clock } from "@agent-control/base";

/** Sends one progress notification; `step` counts up from 1. */
export type SendProgress = (step: number, message: string) => void;

/** Lets at most one message a second through and none after `end`; drops all when the client sent no token. */
export function createProgress(clock: Clock, send: SendProgress | undefined) {
  let step = 0;
  let lastSent = Number.NEGATIVE_INFINITY;
  let ended = send === undefined;
  return {
    report(message: string): void {
      const now = clock.monotonic();
      if (ended || now - lastSent < 1000) return;
      lastSent = now;
      step += 1;
      send?.(step, message);
    },
    end(): void {
      ended = true;
    },
  };
}
