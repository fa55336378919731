import {
  constants,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { type FileSeen, type Files, fileFailure, type Random } from "@agent-control/base";
import { kindOf, requireKind } from "./file-kind.ts";
import { withRegularFile } from "./regular-file.ts";
import { replaceFile } from "./replace-file.ts";
import { asFileFailure, errorCode } from "./system-failure.ts";

/** This machine's files. `random` names temporary files. */
export function createFiles({ random }: { readonly random: Random }): Files {
  return {
    read,
    readAt: (path, offset, length) =>
      withRegularFile(path, constants.O_RDONLY, ({ fd }) => readUpTo(fd, offset, length)),
    write: (path, bytes, { durable = true, mode = 0o600 } = {}) =>
      replaceFile(path, Buffer.from(bytes), { durable, mode, random }),
    append,
    truncate,
    remove,
    rename: (from, to) => translated(from, () => renameSync(from, to)),
    list,
    makeDirectory,
    look,
    realPath: (path) => unlessMissing(path, () => realpathSync.native(path)),
  };
}

function read(path: string, limit: number): Uint8Array | undefined {
  return withRegularFile(path, constants.O_RDONLY, ({ fd, size }) => {
    if (size > limit) throw fileFailure("file-too-large", path);
    const bytes = readUpTo(fd, 0, limit + 1, size);
    if (bytes.length > limit) throw fileFailure("file-too-large", path);
    return bytes;
  });
}

/** Reads until the end or `length` bytes; `expected` only sizes the first buffer. */
function readUpTo(fd: number, offset: number, length: number, expected = length): Uint8Array {
  const chunks: Uint8Array[] = [];
  let done = 0;
  for (let want = Math.min(length, expected + 1); want > 0; want = Math.min(length - done, 65_536)) {
    const chunk = Buffer.allocUnsafe(want);
    const got = readSync(fd, chunk, 0, want, offset + done);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    done += got;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function append(path: string, bytes: Uint8Array | string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const data = Buffer.from(bytes);
  const written = withRegularFile(path, O_WRONLY | O_APPEND | O_CREAT, ({ fd }) => writeSync(fd, data));
  if (written === undefined) throw fileFailure("file-missing", path);
  // The kernel writes a part only when the rest finds no room.
  if (written < data.length) throw fileFailure("file-full", path);
}

function truncate(path: string, size: number): void {
  const cut = withRegularFile(path, constants.O_WRONLY, ({ fd }) => {
    ftruncateSync(fd, size);
    return true;
  });
  if (cut === undefined) throw fileFailure("file-missing", path);
}

function remove(path: string): boolean {
  const removed = unlessMissing(path, () => {
    unlinkSync(path);
    return true;
  });
  return removed ?? false;
}

function list(directory: string): string[] {
  const seen = look(directory);
  if (!seen) return [];
  requireKind("directory", seen.kind, directory);
  return (unlessMissing(directory, () => readdirSync(directory)) ?? []).sort();
}

function makeDirectory(directory: string): void {
  translated(directory, () => {
    const existing = lstatSync(directory, { throwIfNoEntry: false });
    if (existing) requireKind("directory", kindOf(existing), directory);
    else mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stats = lstatSync(directory);
    requireKind("directory", kindOf(stats), directory);
    if (stats.uid !== process.geteuid?.()) throw fileFailure("file-owner", directory);
  });
}

function look(path: string): FileSeen | undefined {
  return unlessMissing(path, () => {
    const stats = lstatSync(path, { bigint: true });
    return {
      kind: kindOf(stats),
      size: Number(stats.size),
      mode: Number(stats.mode) & 0o7777,
      uid: Number(stats.uid),
      modifiedMs: Number(stats.mtimeNs) / 1e6,
      id: `${stats.dev}:${stats.ino}`,
    };
  });
}

function unlessMissing<T>(path: string, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw asFileFailure(error, path);
  }
}

function translated<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asFileFailure(error, path);
  }
}
