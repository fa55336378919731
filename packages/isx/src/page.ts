/** A piece of a list that keeps an answer below its limit. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
  /** More follow; read on at `offset + entries.length`. */
  readonly truncated: boolean;
}

// An answer may have 10 KiB; what stands around the list takes the rest.
const listBytes = 8 * 1024;

/** The entries from `offset` on that fit into an answer: at least one, if there is one. */
export function pageOf<T>(all: readonly T[], offset: number): Page<T> {
  let bytes = 0;
  const rest = all.slice(offset);
  const end = rest.findIndex((entry, index) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > listBytes && index > 0;
  });
  const entries = end === -1 ? rest : rest.slice(0, end);
  return { entries, total: all.length, truncated: offset + entries.length < all.length };
}
