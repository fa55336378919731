import { join } from "node:path";
import {
  type Clock,
  Failure,
  type Files,
  type Locks,
  type ProcessTable,
  type Random,
  type Refusal,
} from "@agent-control/base";
import { damaged, readRateRecord, type Slot, writeRateRecord } from "./rate-file.ts";

export type RateKind = "send" | "spawn";

/** A slot of the window, taken. It leaves after 60 s unless its holder gives it back. */
export interface Reservation {
  readonly allow: true;
  /** Frees the slot, for a call that did nothing; a second time, or after the window, it changes nothing. */
  giveBack(): Promise<void>;
}

export interface RateWindow {
  /**
   * Takes a slot of the caller's last 60 seconds, or refuses (`rate-limited`, `details.retry_after_s` in whole
   * seconds) when `limit` are taken. Callers are `[a-z0-9]{1,64}`. Throws a Failure (`refused`, code
   * `rate-window-damaged`) naming a file that is not what a window wrote, and `busy` when the lock is.
   */
  reserve(caller: string, kind: RateKind, limit: number): Promise<Reservation | Refusal>;
}

export interface RateWindowParts {
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly processTable: Pick<ProcessTable, "bootId">;
  readonly random: Random;
  /** Shared by every process that counts together; made when missing. */
  readonly directory: string;
}

/**
 * Sliding windows of 60 s, one small file per caller and kind, kept across processes until the next boot and
 * untouched by a step of the wall clock. A slot is taken under a short lock of the caller; the call runs without.
 */
export function createRateWindow(parts: RateWindowParts): RateWindow {
  return {
    async reserve(caller, kind, limit) {
      requireCallerId(caller);
      parts.files.makeDirectory(parts.directory);
      const window = openWindow(parts, caller, kind);
      const id = Buffer.from(parts.random.bytes(8)).toString("hex");
      const giveBack = (): Promise<void> =>
        window.locked((slots) => window.save(slots.filter((slot) => slot.id !== id)));
      return window.locked((slots, now) => {
        if (slots.length >= limit) return overLimit(kind, limit, roomInMs(slots, limit, now));
        window.save([...slots, { id, at: now }]);
        return { allow: true, giveBack };
      });
    },
  };
}

const windowMs = 60_000;
const lockWaitMs = 5_000;

function requireCallerId(caller: string): void {
  if (/^[a-z0-9]{1,64}$/.test(caller)) return;
  throw new Failure("refused", {
    code: "caller-id-malformed",
    message: "The caller's launch id is not one that tongs-agents made",
    next: "Start the calling agent with `tongs-agents launch` or `tongs-agents workspace`",
  });
}

interface CallerWindow {
  /** Runs `body` under the caller's lock with the slots that still count, oldest first, and the time. */
  locked<T>(body: (slots: readonly Slot[], now: number) => T): Promise<T>;
  /** Replaces the slots; only under the lock. */
  save(slots: readonly Slot[]): void;
}

function openWindow(parts: RateWindowParts, caller: string, kind: RateKind): CallerWindow {
  const { files, locks, clock, processTable, directory } = parts;
  const path = join(directory, `${caller}.${kind}.json`);
  const lock = { waitMs: lockWaitMs, what: `the rate window of ${caller}` };
  return {
    locked: (body) =>
      locks.hold(join(directory, `${caller}.lock`), lock, () => {
        const now = Math.floor(clock.monotonic());
        const record = readRateRecord(files, path);
        const slots = record?.bootId === processTable.bootId() ? record.slots : [];
        return body(counting(slots, now, path), now);
      }),
    save: (slots) => writeRateRecord(files, path, { bootId: processTable.bootId(), slots }),
  };
}

// Time since boot never steps back, so a slot from the future was not written by a window.
function counting(slots: readonly Slot[], now: number, path: string): readonly Slot[] {
  if (slots.some((slot) => slot.at > now)) throw damaged(path, "it records a call that is yet to come");
  return slots.filter((slot) => now - slot.at < windowMs).sort((a, b) => a.at - b.at);
}

// When so many slots have left that one is free: the oldest, or more after the limit was lowered.
function roomInMs(slots: readonly Slot[], limit: number, now: number): number {
  const leaving = slots[slots.length - limit];
  return leaving === undefined ? windowMs : leaving.at + windowMs - now;
}

function overLimit(kind: RateKind, limit: number, waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return {
    allow: false,
    outcome: "rate-limited",
    code: "rate-limited",
    reason: `This agent has used its ${limit} ${kind}${limit === 1 ? "" : "s"} of the last 60 seconds`,
    next: `Call again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`,
    details: { retry_after_s: seconds },
  };
}
