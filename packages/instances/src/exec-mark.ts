/** What foregroundScript and commandScript say on stderr besides the command. */
export interface MarkedStream {
  push(chunk: Uint8Array): void;
  /** Undefined once the unit ran; else what was said instead. */
  startFailure(): string | undefined;
}

/** Hands on the stream after its first line, which must be the unit's mark. */
export function createMarkedStream(unit: string, rest: (chunk: Uint8Array) => void): MarkedStream {
  const mark = Buffer.from(`${unit}\n`);
  let start = Buffer.alloc(0);
  let marked = false;
  return {
    push(chunk) {
      if (marked) return rest(chunk);
      start = Buffer.concat([start, chunk]).subarray(0, longestFailure + chunk.length);
      if (!start.subarray(0, mark.length).equals(mark)) return;
      marked = true;
      rest(start.subarray(mark.length));
    },
    startFailure: () => (marked ? undefined : start.subarray(0, longestFailure).toString("utf8")),
  };
}

/** The last line of stderr when the directory could not be entered; the exit code is then `noDirectoryCode`. */
export function noDirectoryMark(unit: string): string {
  return `\n${unit} no such directory\n`;
}

export const noDirectoryCode = 125;

const longestFailure = 2048;
