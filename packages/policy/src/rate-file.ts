import { asFailure, Failure, type Files, shownText } from "@agent-control/base";

/** One call that counts. */
export interface Slot {
  readonly id: string;
  /** Milliseconds since boot when it was taken. */
  readonly at: number;
}

/** What one file of a rate window holds. */
export interface RateRecord {
  readonly bootId: string;
  readonly slots: readonly Slot[];
}

// The highest limit is 60 slots of 40 bytes; more is not ours.
const sizeLimit = 16 * 1024;

/**
 * The record in the file, or undefined when there is none. Throws the Failure `rate-window-damaged` (`refused`)
 * for anything that `writeRateRecord` does not write: counting must not start anew because a file was broken.
 */
export function readRateRecord(files: Files, path: string): RateRecord | undefined {
  const bytes = bytesOf(files, path);
  if (bytes === undefined) return undefined;
  const record = recordIn(Buffer.from(bytes).toString("utf8"));
  if (record === undefined) throw damaged(path, "it is not a record of calls");
  return record;
}

/** Replaces the file; not synced to the disk, since a power cut ends the window anyway. */
export function writeRateRecord(files: Files, path: string, { bootId, slots }: RateRecord): void {
  files.write(path, `${JSON.stringify({ schema: 1, boot_id: bootId, slots })}\n`, { durable: false });
}

/** The Failure of a file that cannot be believed. */
export function damaged(path: string, why: string, cause?: unknown): Failure {
  return new Failure("refused", {
    code: "rate-window-damaged",
    message: `The calls of the last minute cannot be counted with ${shownText(path)}: ${why}`,
    next: "Ask the person to look at that file and remove it; a new one is made with the next call",
    cause,
  });
}

function bytesOf(files: Files, path: string): Uint8Array | undefined {
  try {
    return files.read(path, sizeLimit);
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined) throw error;
    throw damaged(path, failure.message, failure);
  }
}

function recordIn(text: string): RateRecord | undefined {
  const value = parsed(text);
  if (!isObject(value) || value["schema"] !== 1 || typeof value["boot_id"] !== "string") return undefined;
  const slots = value["slots"];
  if (!Array.isArray(slots) || !slots.every(isSlot)) return undefined;
  return { bootId: value["boot_id"], slots };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isSlot(value: unknown): value is Slot {
  return isObject(value) && typeof value["id"] === "string" && Number.isSafeInteger(value["at"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
