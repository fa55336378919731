import { type Clock, plainText } from "@agent-control/base";

/** Hands on the last complete line of all its streams, at most once a second; each call opens a stream. */
export function createLineReporter(
  clock: Pick<Clock, "monotonic">,
  onLine: (line: string) => void,
): () => (chunk: Uint8Array) => void {
  let dueAt = Number.NEGATIVE_INFINITY;
  return () => {
    let unfinished = Buffer.alloc(0);
    return (chunk) => {
      const bytes = Buffer.concat([unfinished, chunk]);
      const end = bytes.lastIndexOf(newline);
      unfinished = Buffer.from(bytes.subarray(Math.max(end + 1, bytes.length - longest)));
      if (end === -1 || clock.monotonic() < dueAt) return;
      const line = lineBefore(bytes, end);
      if (line === "") return;
      dueAt = clock.monotonic() + 1000;
      onLine(line);
    };
  };
}

const newline = 10;
const longest = 4096;

function lineBefore(bytes: Buffer, end: number): string {
  const start = end === 0 ? 0 : bytes.lastIndexOf(newline, end - 1) + 1;
  const cut = bytes.subarray(Math.max(start, end - longest), end);
  return plainText(cut.toString("utf8")).trim();
}
