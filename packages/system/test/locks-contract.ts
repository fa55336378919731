import type { Locks } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { failureOf } from "./failures.ts";

export interface LocksUnderTest {
  readonly locks: Locks;
  readonly path: string;
  /** The pid that holders of this process have. */
  readonly pid: number;
}

const options = { waitMs: 5_000, what: "the test's lock" };

/** What every implementation of the Locks port does. */
export function locksContract(name: string, make: () => LocksUnderTest): void {
  describe(name, () => {
    it("answers what the body answers and is free afterwards", async () => {
      const { locks, path } = make();
      expect(await locks.hold(path, options, () => 1)).toBe(1);
      expect(await locks.hold(path, options, async () => 2)).toBe(2);
    });

    it("passes on what the body throws and is free afterwards", async () => {
      const { locks, path } = make();
      const bug = new Error("bug");
      await expect(locks.hold(path, options, () => Promise.reject(bug))).rejects.toBe(bug);
      await expect(
        locks.hold(path, options, () => {
          throw bug;
        }),
      ).rejects.toBe(bug);
      expect(await locks.hold(path, { ...options, waitMs: 0 }, () => "free")).toBe("free");
    });

    it("C-09 lets one hold of this process in at a time", async () => {
      const { locks, path } = make();
      let inside = 0;
      let count = 0;
      const one = () =>
        locks.hold(path, options, async () => {
          inside += 1;
          expect(inside).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          count += 1;
          inside -= 1;
        });
      await Promise.all(Array.from({ length: 20 }, one));
      expect(count).toBe(20);
    });

    it("keeps locks of different paths apart", async () => {
      const { locks, path } = make();
      const both = locks.hold(path, options, () => locks.hold(`${path}-other`, options, () => "both"));
      expect(await both).toBe("both");
    });

    it("says busy, what it is and who has it, when the lock is not free in time", async () => {
      const { locks, path, pid } = make();
      for (const waitMs of [0, 30]) {
        const failure = await failureOf(() =>
          locks.hold(path, options, () => locks.hold(path, { ...options, waitMs }, () => "never")),
        );
        expect(failure).toMatchObject({ outcome: "error", code: "busy", details: { holder_pid: pid } });
        expect(failure.message).toBe(`Process ${pid} is using the test's lock`);
      }
      expect(await locks.hold(path, { ...options, waitMs: 0 }, () => "free")).toBe("free");
    });

    it("stops waiting at once when the signal fires, and takes nothing with a fired one", async () => {
      const { locks, path } = make();
      const stop = new AbortController();
      const started = performance.now();
      const failure = await failureOf(() =>
        locks.hold(path, options, () => {
          const second = locks.hold(path, { ...options, signal: stop.signal }, () => "never");
          setImmediate(() => stop.abort());
          return second;
        }),
      );
      expect(failure.outcome).toBe("cancelled");
      expect(performance.now() - started).toBeLessThan(500);
      const signal = AbortSignal.abort();
      const fired = await failureOf(() => locks.hold(path, { ...options, signal }, () => "never"));
      expect(fired.outcome).toBe("cancelled");
      expect(await locks.hold(path, { ...options, waitMs: 0 }, () => "free")).toBe("free");
    });
  });
}
