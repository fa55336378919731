import type { Files } from "@agent-control/base";

/** A line of a log, as it was read. */
export type LogEntry = Readonly<Record<string, unknown>>;

const tailBytes = 256 * 1024;

/**
 * The newest lines of the log's newest file, oldest first: at most `count`, of its last 256 KiB. A torn or foreign line
 * is left out; `verifyLog` names it.
 */
export function newestEntries(
  { files, path }: { readonly files: Files; readonly path: string },
  count: number,
): LogEntry[] {
  const size = files.look(path)?.size ?? 0;
  const bytes = files.readAt(path, Math.max(0, size - tailBytes), tailBytes);
  const lines = new TextDecoder().decode(bytes).split("\n");
  const whole = size > tailBytes ? lines.slice(1) : lines;
  return whole.flatMap(parsed).slice(-count);
}

function parsed(line: string): LogEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value as LogEntry] : [];
  } catch {
    return [];
  }
}
