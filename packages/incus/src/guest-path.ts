import { posix } from "node:path";
import { shownText } from "@agent-control/base";
import { badRequest } from "./incus-failure.ts";

/** The path, normalised; throws unless it is absolute and of a file that the file API can read. */
export function guestPath(path: string): string {
  if (!path.startsWith("/") || path.includes("\0")) {
    throw badRequest(
      "guest-path",
      `"${shownText(path)}" is not an absolute path in the guest`,
      "Name an absolute path without NUL characters",
    );
  }
  const normal = posix.normalize(path);
  const plain = normal.length > 1 ? normal.replace(/\/$/, "") : normal;
  if (/^\/(proc|sys)(\/|$)/.test(plain)) {
    throw badRequest(
      "guest-path",
      `Incus shows the files of the kernel, as ${shownText(plain)}, as empty or too long`,
      "Read it with a program in the guest",
    );
  }
  return plain;
}
