import { cancelled, throwIfCancelled } from "./failure.ts";
import type { Clock } from "./ports.ts";

export interface FakeClock extends Clock {
  /** Moves both times forward, waking every sleeper that falls due, in order; resolves when they have run. */
  advance(ms: number): Promise<void>;
  /** Steps the wall clock only, as NTP does; negative goes back. */
  stepWall(ms: number): void;
  /** How many sleeps are pending. */
  sleepers(): number;
}

export interface FakeClockOptions {
  /** First value of `now()`, milliseconds since the epoch. */
  readonly now?: number;
  /** First value of `monotonic()`, milliseconds. */
  readonly monotonic?: number;
  /** Every sleep moves time by itself: for code whose waits the test does not want to drive. */
  readonly autoAdvance?: boolean;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that moves only when told. */
export function fakeClock(options: FakeClockOptions = {}): FakeClock {
  let wall = options.now ?? 1_700_000_000_000;
  let monotonic = options.monotonic ?? 1_000_000;
  const sleeping = new Set<Sleeper>();

  async function advanceTo(end: number): Promise<void> {
    for (let next = earliest(sleeping); next && next.due <= end; next = earliest(sleeping)) {
      moveTo(Math.max(next.due, monotonic));
      sleeping.delete(next);
      next.wake();
      await settle();
    }
    moveTo(Math.max(end, monotonic));
  }

  function moveTo(time: number): void {
    wall += time - monotonic;
    monotonic = time;
  }

  async function runToNextSleeper(): Promise<void> {
    await settle();
    const next = earliest(sleeping);
    if (next) await advanceTo(next.due);
  }

  return {
    now: () => wall,
    monotonic: () => monotonic,
    async sleep(ms, signal) {
      throwIfCancelled(signal);
      const woken = sleepUntil(monotonic + ms, sleeping, signal);
      if (options.autoAdvance) void runToNextSleeper();
      await woken;
    },
    advance: (ms) => settle().then(() => advanceTo(monotonic + ms)),
    stepWall: (ms) => {
      wall += ms;
    },
    sleepers: () => sleeping.size,
  };
}

function sleepUntil(due: number, sleeping: Set<Sleeper>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const sleeper: Sleeper = {
      due,
      wake: () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
    };
    const stop = () => {
      sleeping.delete(sleeper);
      reject(cancelled(signal?.reason));
    };
    signal?.addEventListener("abort", stop, { once: true });
    sleeping.add(sleeper);
  });
}

function earliest(sleeping: ReadonlySet<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleeping) if (!first || sleeper.due < first.due) first = sleeper;
  return first;
}

/** Lets everything that is already resolved run to its next wait. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
