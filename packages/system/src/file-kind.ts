import type { BigIntStats, Stats } from "node:fs";
import { type FileKind, fileFailure } from "@agent-control/base";

const words: Readonly<Record<FileKind, string>> = {
  file: "a file",
  directory: "a directory",
  symlink: "a symbolic link",
  socket: "a socket",
  fifo: "a FIFO",
  other: "a device",
};

/** The kind of thing that the result of a `stat` describes. */
export function kindOf(stats: Stats | BigIntStats): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symlink";
  if (stats.isSocket()) return "socket";
  return stats.isFIFO() ? "fifo" : "other";
}

/** Throws the Failure that names what is at the path when it is not of the wanted kind. */
export function requireKind(wanted: FileKind, found: FileKind, path: string): void {
  if (found === wanted) return;
  if (found === "symlink") throw fileFailure("file-link", path);
  throw fileFailure("file-kind", path, { found: words[found] });
}
