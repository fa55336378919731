/** A stamp value that says when something was noticed of an instance's holder: `<ISO instant> <session>`. */
export function renderMark(nowMs: number, session: string): string {
  return `${new Date(nowMs).toISOString()} ${session}`;
}

/**
 * When the mark was set, milliseconds since the epoch; undefined when it is none or names another session than the
 * one that holds the instance now: a mark that came late must not count against a later holder.
 */
export function markedAt(mark: string | undefined, session: string | undefined): number | undefined {
  const [instant, marked, ...rest] = mark?.split(" ") ?? [];
  if (instant === undefined || session === undefined || marked !== session || rest.length > 0) {
    return undefined;
  }
  const at = Date.parse(instant);
  return Number.isNaN(at) ? undefined : at;
}
