import { basename, dirname, join } from "node:path";
import {
  type Clock,
  type Files,
  isAlive,
  type LockOptions,
  type Locks,
  lockBusy,
  type ProcessTable,
  type Random,
  throwIfCancelled,
} from "@agent-control/base";
import type { LockHolder } from "./lock-holder.ts";
import { makeLink, readLink, removeLink } from "./lock-link.ts";

export interface LockPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly processTable: ProcessTable;
}

/** The nonces that follow the lock's own name. */
const leftover = /^[0-9a-f]{16}(\.[0-9a-f]{16})*$/;
// Most bodies are done in a millisecond or two: a waiter looks often at first, then ever less.
const immediateTries = 3;
const shortSleeps = 30;
const shortestSleepMs = 1;
const longestSleepMs = 25;

/**
 * Locks whose file is a symlink naming the holder (see docs/decisions/locks.md). Two holds of one path exclude
 * each other in one process too. Throws `busy`, `lock-foreign` when something else is at the path, or a file Failure.
 */
export function createLocks(ports: LockPorts): Locks {
  const { clock, random, files, processTable } = ports;

  async function hold<T>(path: string, options: LockOptions, body: () => Promise<T> | T): Promise<T> {
    const nonce = Buffer.from(random.bytes(8)).toString("hex");
    const mine: LockHolder = { ...processTable.self(), nonce };
    await acquire(path, mine, options);
    try {
      return await body();
    } finally {
      removeLink(path, mine);
    }
  }

  async function acquire(path: string, mine: LockHolder, options: LockOptions): Promise<void> {
    const deadline = clock.monotonic() + options.waitMs;
    for (let tries = 0; ; tries += 1) {
      throwIfCancelled(options.signal);
      const outcome = makeLink(path, mine);
      if (outcome === "made") return;
      if (outcome === "no-directory") files.makeDirectory(dirname(path));
      else await waitForHolder(path, tries, { ...options, waitMs: deadline - clock.monotonic() });
    }
  }

  async function waitForHolder(path: string, tries: number, options: LockOptions): Promise<void> {
    const holder = readLink(path);
    if (!holder) return;
    if (!isAlive(processTable, holder)) return removeDead(path, holder, options);
    if (options.waitMs <= 0) throw lockBusy(options.what, holder.pid);
    await clock.sleep(Math.min(options.waitMs, pauseMs(tries)), options.signal);
  }

  // Only who holds the lock named after the dead holder's nonce removes the dead holder's link, so the link
  // cannot become another one's between the second look and the removal.
  async function removeDead(path: string, dead: LockHolder, options: LockOptions): Promise<void> {
    const removed = await hold(`${path}.${dead.nonce}`, options, () => removeLink(path, dead));
    if (removed) await removeLeftovers(path, options);
  }

  // A process that died while removing a dead holder leaves its own lock behind, which nobody else would meet.
  async function removeLeftovers(path: string, options: LockOptions): Promise<void> {
    const prefix = `${basename(path)}.`;
    for (const name of files.list(dirname(path))) {
      if (!name.startsWith(prefix) || !leftover.test(name.slice(prefix.length))) continue;
      const holder = readLink(join(dirname(path), name));
      if (holder && !isAlive(processTable, holder))
        await removeDead(join(dirname(path), name), holder, options);
    }
  }

  function pauseMs(tries: number): number {
    if (tries < immediateTries) return 0;
    const doublings = 1 + Math.max(0, tries - shortSleeps) / 8;
    const ceiling = Math.min(longestSleepMs, shortestSleepMs * 2 ** doublings);
    const jitter = (random.bytes(1)[0] ?? 0) / 255;
    return shortestSleepMs + (ceiling - shortestSleepMs) * jitter;
  }

  return { hold };
}
