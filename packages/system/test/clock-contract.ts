import type { Clock } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { failureOf } from "./failures.ts";

/** What every implementation of the Clock port does; the clock under test must move while it is slept on. */
export function clockContract(name: string, make: () => Clock): void {
  describe(name, () => {
    it("moves both times forward by a sleep", async () => {
      const clock = make();
      const [now, monotonic] = [clock.now(), clock.monotonic()];
      await clock.sleep(20);
      // Node's timers count whole milliseconds and may fire within the last one.
      expect(clock.monotonic() - monotonic).toBeGreaterThanOrEqual(19);
      expect(clock.now() - now).toBeGreaterThanOrEqual(19);
    });

    it("wakes shorter sleeps first", async () => {
      const clock = make();
      const woken: number[] = [];
      await Promise.all([40, 1, 20].map((ms) => clock.sleep(ms).then(() => woken.push(ms))));
      expect(woken).toEqual([1, 20, 40]);
    });

    it("ends a sleep with the cancelled Failure when the signal fires or has fired", async () => {
      const clock = make();
      const stop = new AbortController();
      const sleeping = failureOf(() => clock.sleep(1_000_000, stop.signal));
      stop.abort();
      expect((await sleeping).outcome).toBe("cancelled");
      expect((await failureOf(() => clock.sleep(1, stop.signal))).outcome).toBe("cancelled");
    });
  });
}
