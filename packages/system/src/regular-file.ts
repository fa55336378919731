import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { kindOf, requireKind } from "./file-kind.ts";
import { asFileFailure, errorCode } from "./system-failure.ts";

export interface OpenFile {
  readonly fd: number;
  /** Bytes when it was opened. */
  readonly size: number;
}

/**
 * Runs `use` on the open regular file at the path, never following a symlink and never blocking; undefined when
 * nothing is there. The kind is asked of the opened file, so that swapping it after a check changes nothing.
 */
export function withRegularFile<T>(path: string, flags: number, use: (file: OpenFile) => T): T | undefined {
  const fd = openWithoutWaiting(path, flags);
  if (fd === undefined) return undefined;
  try {
    const stats: Stats = fstatSync(fd);
    requireKind("file", kindOf(stats), path);
    return use({ fd, size: stats.size });
  } catch (error) {
    throw asFileFailure(error, path);
  } finally {
    closeSync(fd);
  }
}

function openWithoutWaiting(path: string, flags: number): number | undefined {
  const { O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw asFileFailure(error, path);
  }
}
