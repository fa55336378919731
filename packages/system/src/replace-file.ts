import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "@agent-control/base";
import { kindOf, requireKind } from "./file-kind.ts";
import { asFileFailure } from "./system-failure.ts";

export interface ReplaceOptions {
  /** Permission bits of the new file, whatever the umask. */
  readonly mode: number;
  /** Whether the bytes reach the disk before the name does. */
  readonly durable: boolean;
  /** Source of the temporary file's name. */
  readonly random: Random;
}

/** Replaces the regular file at the path, or makes it: readers see the old bytes or the new ones, never a part. */
export function replaceFile(path: string, bytes: Uint8Array, options: ReplaceOptions): void {
  const temporary = join(dirname(path), `.${Buffer.from(options.random.bytes(8)).toString("hex")}.tmp`);
  try {
    refuseOtherKinds(path);
    const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      fill(fd, bytes, options);
      renameSync(temporary, path);
    } catch (error) {
      unlinkSync(temporary);
      throw error;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw asFileFailure(error, path);
  }
}

// A rename would put a regular file in the place of a person's symlink.
function refuseOtherKinds(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) requireKind("file", kindOf(stats), path);
}

function fill(fd: number, bytes: Uint8Array, options: ReplaceOptions): void {
  fchmodSync(fd, options.mode);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  if (options.durable) fsyncSync(fd);
}
