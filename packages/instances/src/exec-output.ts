import { plainText } from "@agent-control/base";
import type { KeptOutput } from "./guest.ts";

/** One stream of a command: the first bytes, the last bytes and how many there were. What is between is not stored. */
export interface StreamKept {
  push(chunk: Uint8Array): void;
  totalBytes(): number;
  /** The stream within `budget` bytes, half of them from its start; the budget is at most the one it was made for. */
  show(budget: number): KeptOutput;
}

/** Uses at most `budget` bytes of memory, whatever is pushed. */
export function createStreamKept(budget: number): StreamKept {
  const head = Buffer.alloc(Math.ceil(budget / 2));
  const tail = createRing(Math.ceil(budget / 2));
  let total = 0;
  return {
    push(chunk) {
      const free = Math.max(0, head.length - total);
      if (free > 0) head.set(chunk.subarray(0, free), total);
      if (chunk.length > free) tail.push(chunk.subarray(free));
      total += chunk.length;
    },
    totalBytes: () => total,
    show(allowed) {
      const first = head.subarray(0, Math.min(total, head.length));
      const last = tail.bytes();
      if (total <= allowed) return whole(Buffer.concat([first, last]));
      const half = Math.floor(allowed / 2);
      const cut = last.subarray(Math.max(0, last.length - (allowed - half)));
      return shortened(first.subarray(0, half), cut, total);
    },
  };
}

/** Both streams within `budget` bytes: a stream gets half of it, and what the other one does not need. */
export function showBoth(stdout: StreamKept, stderr: StreamKept, budget: number): [KeptOutput, KeptOutput] {
  const half = Math.floor(budget / 2);
  const forStdout = Math.max(half, budget - stderr.totalBytes());
  const forStderr = Math.max(budget - half, budget - stdout.totalBytes());
  return [stdout.show(forStdout), stderr.show(forStderr)];
}

/** The bytes as text, without a character that the end cuts in two. */
export function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function createRing(size: number) {
  const ring = Buffer.alloc(size);
  let written = 0;
  return {
    push(chunk: Uint8Array): void {
      const kept = chunk.subarray(Math.max(0, chunk.length - size));
      const start = size === 0 ? 0 : (written + chunk.length - kept.length) % size;
      const untilEnd = kept.subarray(0, size - start);
      ring.set(untilEnd, start);
      ring.set(kept.subarray(untilEnd.length), 0);
      written += chunk.length;
    },
    bytes(): Buffer {
      if (written <= size) return Buffer.from(ring.subarray(0, written));
      const oldest = written % size;
      return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
    },
  };
}

function whole(bytes: Uint8Array): KeptOutput {
  return { text: decoded(bytes), totalBytes: bytes.length, truncated: false };
}

function shortened(first: Uint8Array, last: Uint8Array, totalBytes: number): KeptOutput {
  const start = withoutCutEnd(first);
  const end = withoutCutStart(last);
  const dropped = totalBytes - start.length - end.length;
  const text = `${decoded(start)}\n[... ${dropped} bytes left out ...]\n${decoded(end)}`;
  return { text, totalBytes, truncated: true };
}

function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function decoded(bytes: Uint8Array): string {
  return plainText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}
