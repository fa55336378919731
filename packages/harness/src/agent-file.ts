import { dirname } from "node:path";
import { Failure, type Files, fileFailure, type Random } from "@agent-control/base";

/** A configuration file of an agent CLI, as it is now. */
export interface AgentFile {
  /** The file itself, links resolved. */
  readonly path: string;
  readonly exists: boolean;
  /** Without a byte order mark; "" when it does not exist. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Permission bits, kept when it is written. */
  readonly mode: number;
}

const sizeLimit = 4 * 1024 * 1024;
const mark = "\ufeff";

/** Reads the file, following a link. Throws for one that is not UTF-8 text of at most 4 MiB or not a regular file. */
export function readAgentFile(files: Files, path: string): AgentFile {
  const real = files.realPath(path);
  if (real === undefined && files.look(path))
    throw fileFailure("file-link", path, { found: "a symlink to nothing" });
  const target = real ?? path;
  const bytes = files.read(target, sizeLimit);
  if (bytes === undefined) return { path: target, exists: false, text: "", hasMark: false, mode: 0o600 };
  const text = decoded(bytes, path);
  const hasMark = text.startsWith(mark);
  const mode = files.look(target)?.mode ?? 0o600;
  return { path: target, exists: true, text: hasMark ? text.slice(mark.length) : text, hasMark, mode };
}

/**
 * Puts the text in the place of what was read, or removes the file for undefined. Refuses a file that may not be
 * written or belongs to another user, and one that changed since it was read; readers see the old file or the new one.
 */
export function replaceAgentFile(
  ports: { readonly files: Files; readonly random: Random; readonly uid: number },
  seen: AgentFile,
  text: string | undefined,
): void {
  const { files, random, uid } = ports;
  requireWritable(files, seen, uid);
  if (text === undefined) {
    requireUnchanged(files, seen);
    files.remove(seen.path);
    return;
  }
  if (!seen.exists) files.makeDirectory(dirname(seen.path));
  const temporary = `${seen.path}.${Buffer.from(random.bytes(6)).toString("hex")}.new`;
  files.write(temporary, (seen.hasMark ? mark : "") + text, { mode: seen.mode });
  try {
    requireUnchanged(files, seen);
    files.rename(temporary, seen.path);
  } catch (error) {
    files.remove(temporary);
    throw error;
  }
}

function requireWritable(files: Files, seen: AgentFile, uid: number): void {
  const now = files.look(seen.path);
  if (!now) return;
  if (now.uid !== uid) throw fileFailure("file-owner", seen.path);
  if ((now.mode & 0o200) === 0) throw readOnly(seen.path);
}

// The window is the time between this read and the rename that follows it.
function requireUnchanged(files: Files, seen: AgentFile): void {
  const now = readAgentFile(files, seen.path);
  if (now.exists === seen.exists && now.text === seen.text && now.hasMark === seen.hasMark) return;
  throw new Failure("error", {
    code: "file-changed",
    message: `${seen.path} was changed by another program at the same time, so it was left alone`,
    next: "Run this again",
  });
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure("error", {
      code: "agent-config-malformed",
      message: `${path} is not UTF-8 text`,
      next: "Save it as UTF-8, then run this again",
      cause,
    });
  }
}

function readOnly(path: string): Failure {
  return new Failure("error", {
    code: "file-read-only",
    message: `${path} is read-only, so it was left alone`,
    next: "Allow its owner to write it (chmod u+w), then run this again",
  });
}
