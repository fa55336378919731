export interface LineReader {
  /** Takes the next bytes of the stream; calls `onLine` for each line that is now whole. */
  push(chunk: Uint8Array): void;
}

export interface LineListener {
  /** The bytes of one line without its LF. */
  onLine(line: Uint8Array): void;
  /** A line is longer than the limit: nothing is read any more and what was held is released. */
  onTooLong(): void;
}

/** Splits a byte stream at LF, holding at most `limit` bytes (twice that while the buffer grows). */
export function createLineReader(limit: number, listener: LineListener): LineReader {
  let held = createHeld();
  let closed = false;

  const take = (part: Uint8Array): boolean => {
    if (held.length() + part.length > limit) {
      closed = true;
      held = createHeld();
      listener.onTooLong();
      return false;
    }
    held.append(part);
    return true;
  };

  return {
    push(chunk) {
      let start = 0;
      while (!closed) {
        const end = chunk.indexOf(lineFeed, start);
        if (!take(chunk.subarray(start, end < 0 ? chunk.length : end)) || end < 0) return;
        const line = held.bytes();
        held = createHeld();
        start = end + 1;
        listener.onLine(line);
      }
    },
  };
}

const lineFeed = 0x0a;

// One growing buffer: a list of chunks would cost a megabyte of bookkeeping for a line that arrives byte by byte.
function createHeld() {
  let buffer = new Uint8Array(0);
  let used = 0;
  return {
    length: () => used,
    bytes: () => buffer.subarray(0, used),
    append(part: Uint8Array): void {
      if (used + part.length > buffer.length) {
        const larger = new Uint8Array(Math.max(used + part.length, buffer.length * 2));
        larger.set(buffer.subarray(0, used));
        buffer = larger;
      }
      buffer.set(part, used);
      used += part.length;
    },
  };
}
