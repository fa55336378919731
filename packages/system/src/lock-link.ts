import { readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { Failure, shownText } from "@agent-control/base";
import { type LockHolder, parseHolder, renderHolder } from "./lock-holder.ts";
import { asFileFailure, errorCode } from "./system-failure.ts";

/** Makes the lock for the holder in one step, unless something is at the path or its directory is missing. */
export function makeLink(path: string, holder: LockHolder): "made" | "in-use" | "no-directory" {
  try {
    symlinkSync(renderHolder(holder), path);
    return "made";
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return "in-use";
    if (code === "ENOENT") return "no-directory";
    throw asFileFailure(error, path);
  }
}

/** Who holds the lock; undefined when it is free. Throws `lock-foreign` for anything that is not one of our locks. */
export function readLink(path: string): LockHolder | undefined {
  const target = targetOf(path);
  if (target === undefined) return undefined;
  const holder = parseHolder(target);
  if (!holder) throw foreign(path);
  return holder;
}

/** Removes the lock if it still names this holder; false when it names another one or none. */
export function removeLink(path: string, holder: LockHolder): boolean {
  if (targetOf(path) !== renderHolder(holder)) return false;
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    throw asFileFailure(error, path);
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    throw code === "EINVAL" ? foreign(path, error) : asFileFailure(error, path);
  }
}

function foreign(path: string, cause?: unknown): Failure {
  return new Failure("error", {
    code: "lock-foreign",
    message: `${shownText(path)} should be a lock but is something else`,
    next: "Look what is there and move it away",
    cause,
    details: { path },
  });
}
