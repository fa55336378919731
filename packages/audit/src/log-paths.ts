import { basename, dirname, extname, join } from "node:path";
import type { Files } from "@agent-control/base";

/** The files of one audit log. */
export interface LogPaths {
  /** The file that is appended to, e.g. `<dir>/control.jsonl`. */
  readonly log: string;
  readonly directory: string;
  /** `<dir>/control.head` */
  readonly head: string;
  /** `<dir>/control.lock` */
  readonly lock: string;
  /** The directory of calls that have not ended: `<dir>/control.pending`. */
  readonly pending: string;
}

export function logPaths(log: string): LogPaths {
  const directory = dirname(log);
  const beside = (extension: string) => join(directory, `${basename(log, extname(log))}.${extension}`);
  return { log, directory, head: beside("head"), lock: beside("lock"), pending: beside("pending") };
}

/** The rotated files of a log, oldest first: `<log>.1`, `<log>.2` … */
export function rotatedSegments(files: Files, paths: LogPaths): string[] {
  return segmentNumbers(files, paths).map((number) => `${paths.log}.${number}`);
}

/** The name that the current file gets when it is rotated: numbers only grow. */
export function nextSegment(files: Files, paths: LogPaths): string {
  return `${paths.log}.${(segmentNumbers(files, paths).at(-1) ?? 0) + 1}`;
}

function segmentNumbers(files: Files, paths: LogPaths): number[] {
  const prefix = `${basename(paths.log)}.`;
  return files
    .list(paths.directory)
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d{0,8}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}
