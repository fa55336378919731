import type { Watch } from "@agent-control/base";
import { describe, expect, it } from "vitest";

export interface WatchUnderTest {
  readonly watch: Watch;
  /** An existing directory. */
  readonly directory: string;
  /** Changes something in the directory. */
  change(): void;
}

/** What every implementation of the Watch port does. */
export function watchContract(name: string, make: () => WatchUnderTest): void {
  describe(name, () => {
    it("calls the listener after a change, and again after a later one", async () => {
      const { watch, directory, change } = make();
      const calls = counted();
      const stop = watch.directory(directory, calls.one);
      change();
      await calls.reached(1);
      const before = calls.count();
      change();
      await calls.reached(before + 1);
      stop();
    });

    it("calls every listener of a directory, and none that was stopped", async () => {
      const { watch, directory, change } = make();
      const [first, second, stopped] = [counted(), counted(), counted()];
      const stops = [first, second].map((calls) => watch.directory(directory, calls.one));
      watch.directory(directory, stopped.one)();
      change();
      await Promise.all([first.reached(1), second.reached(1)]);
      expect(stopped.count()).toBe(0);
      for (const stop of [...stops, ...stops]) stop();
    });
  });
}

/** A listener that counts its calls and lets a test wait for them. */
export function counted() {
  let count = 0;
  let wake = () => {};
  return {
    count: () => count,
    one: () => {
      count += 1;
      wake();
    },
    async reached(wanted: number): Promise<void> {
      while (count < wanted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
