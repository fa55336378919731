import type { Readable } from "node:stream";

export interface BoundedText {
  /** What was kept, decoded as UTF-8; a character cut at the limit is left out. */
  text(): string;
  truncated(): boolean;
  /** Reads no more. */
  stop(): void;
}

/** Reads the stream to its end, keeping its first or its last `maxBytes` bytes. */
export function boundedText(
  stream: Readable,
  maxBytes: number,
  keep: "start" | "end" = "start",
): BoundedText {
  return keep === "start" ? textStart(stream, maxBytes) : textEnd(stream, maxBytes);
}

function textStart(stream: Readable, maxBytes: number): BoundedText {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let dropped = false;
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, maxBytes - kept);
    kept += part.length;
    if (part.length > 0) chunks.push(part);
    if (part.length < chunk.length) dropped = true;
  });
  return {
    // While `stream` is true an incomplete last character waits for its rest and is not shown.
    text: () =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: dropped }),
    truncated: () => dropped,
    stop: () => {
      stream.destroy();
    },
  };
}

function textEnd(stream: Readable, maxBytes: number): BoundedText {
  const chunks: Buffer[] = [];
  let held = 0;
  let dropped = false;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    held += chunk.length;
    // The oldest chunk goes as soon as the others are enough.
    for (let oldest = chunks[0]; oldest && held - oldest.length >= maxBytes; oldest = chunks[0]) {
      chunks.shift();
      held -= oldest.length;
      dropped ||= oldest.length > 0;
    }
  });
  return {
    text: () => {
      const bytes = Buffer.concat(chunks);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        bytes.subarray(characterStart(bytes, maxBytes)),
      );
    },
    truncated: () => dropped || held > maxBytes,
    stop: () => {
      stream.destroy();
    },
  };
}

/** Where the last `maxBytes` bytes begin, after what is left there of a character that was cut. */
function characterStart(bytes: Uint8Array, maxBytes: number): number {
  let start = Math.max(0, bytes.length - maxBytes);
  if (start === 0) return 0;
  for (let cut = 0; cut < 3 && isContinuation(bytes[start]); cut += 1) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
