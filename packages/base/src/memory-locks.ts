import { cancelled, throwIfCancelled } from "./failure.ts";
import { lockBusy } from "./port-failures.ts";
import type { Clock, LockOptions, Locks } from "./ports.ts";

export interface MemoryLocks extends Locks {
  /** Takes the lock as another process would; the returned function releases it, as its end would. */
  occupy(path: string, pid: number): () => void;
  /** The pid that holds the lock; undefined when it is free. */
  holder(path: string): number | undefined;
}

interface Waiter {
  readonly grant: () => void;
}

/** Locks of one test, first come first served; waits are on the given clock. */
export function memoryLocks(clock: Clock, ownPid = 4242): MemoryLocks {
  const holders = new Map<string, number>();
  const queues = new Map<string, Waiter[]>();

  function release(path: string): void {
    const next = queues.get(path)?.shift();
    if (next) next.grant();
    else holders.delete(path);
  }

  async function acquire(path: string, options: LockOptions): Promise<void> {
    throwIfCancelled(options.signal);
    const holder = holders.get(path);
    if (holder !== undefined) await waitInQueue(clock, queueOf(queues, path), options, holder);
    holders.set(path, ownPid);
  }

  return {
    async hold(path, options, body) {
      await acquire(path, options);
      try {
        return await body();
      } finally {
        release(path);
      }
    },
    occupy(path, pid) {
      if (holders.has(path)) throw new Error(`memoryLocks: ${path} is held already`);
      holders.set(path, pid);
      return () => release(path);
    },
    holder: (path) => holders.get(path),
  };
}

function queueOf(queues: Map<string, Waiter[]>, path: string): Waiter[] {
  const queue = queues.get(path) ?? [];
  queues.set(path, queue);
  return queue;
}

async function waitInQueue(
  clock: Clock,
  queue: Waiter[],
  options: LockOptions,
  holder: number,
): Promise<void> {
  if (options.waitMs <= 0) throw lockBusy(options.what, holder);
  const granted = new AbortController();
  const signals = options.signal ? [granted.signal, options.signal] : [granted.signal];
  const waiter: Waiter = { grant: () => granted.abort() };
  queue.push(waiter);
  const timedOut = await clock.sleep(options.waitMs, AbortSignal.any(signals)).then(
    () => true,
    () => false,
  );
  if (granted.signal.aborted) return;
  queue.splice(queue.indexOf(waiter), 1);
  throw timedOut ? lockBusy(options.what, holder) : cancelled(options.signal?.reason);
}
