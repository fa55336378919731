import type { Readable } from "node:stream";

export interface BoundedText {
  /** What was kept, decoded as UTF-8; a character cut at the limit is left out. */
  text(): string;
  truncated(): boolean;
  /** Reads no more. */
  stop(): void;
}

/** Reads the stream to its end, keeping its first `maxBytes` bytes. */
export function boundedText(stream: Readable, maxBytes: number): BoundedText {
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
