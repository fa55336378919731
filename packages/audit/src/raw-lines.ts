import type { Files } from "@agent-control/base";

export interface RawLine {
  /** Without the LF; only the first `maxLineBytes` of a longer line. */
  readonly bytes: Uint8Array;
  /** Offset in the file of the byte after the line and its LF. */
  readonly end: number;
  /** False for a last line without LF. */
  readonly closed: boolean;
}

/** No line that the log writes is longer: redaction bounds the text of an entry. */
export const maxLineBytes = 4 * 1024 * 1024;

/** The lines of a file from an offset, read in chunks; memory stays bounded whatever the file holds. */
export function* rawLines(files: Files, path: string, from = 0): Generator<RawLine> {
  let parts: Uint8Array[] = [];
  let kept = 0;
  let offset = from;
  let open = false;
  const keep = (part: Uint8Array) => {
    const room = part.subarray(0, maxLineBytes - kept);
    kept += room.length;
    if (room.length > 0) parts.push(room);
    open = true;
  };
  const take = (end: number, closed: boolean): RawLine => {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    parts = [];
    kept = 0;
    open = false;
    return { bytes, end, closed };
  };
  for (const chunk of chunksOf(files, path, from)) {
    let at = 0;
    for (let lf = chunk.indexOf(0x0a); lf >= 0; lf = chunk.indexOf(0x0a, at)) {
      keep(chunk.subarray(at, lf));
      at = lf + 1;
      yield take(offset + at, true);
    }
    if (at < chunk.length) keep(chunk.subarray(at));
    offset += chunk.length;
  }
  if (open) yield take(offset, false);
}

/** The bytes of a file from an offset, in pieces of at most 64 KiB. */
export function* chunksOf(files: Files, path: string, from: number): Generator<Uint8Array> {
  for (let offset = from; ; ) {
    const chunk = files.readAt(path, offset, 65_536);
    if (chunk === undefined || chunk.length === 0) return;
    yield chunk;
    offset += chunk.length;
  }
}
