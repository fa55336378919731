import { Failure } from "./failure.ts";
import { shownText } from "./safe-text.ts";

/** Why a file could not be used; the codes of every Failure that the Files port throws. */
export type FileFailureCode =
  | "file-missing"
  | "file-denied"
  | "file-full"
  | "file-kind"
  | "file-link"
  | "file-owner"
  | "file-too-large"
  | "file-exists"
  | "file-name"
  | "file-unavailable";

const fileTexts: Readonly<Record<FileFailureCode, { readonly is: string; readonly next: string }>> = {
  "file-missing": { is: "does not exist", next: "Create it or name another path" },
  "file-denied": { is: "may not be used by this user", next: "Check its owner and permissions" },
  "file-full": { is: "cannot be written because the disk or quota is full", next: "Free some space" },
  "file-kind": { is: "is not the kind of file expected here", next: "Look what is there and move it away" },
  "file-link": {
    is: "is a symbolic link, which is not followed here",
    next: "Replace it by the thing it points to",
  },
  "file-owner": { is: "belongs to another user", next: "Remove it or name another directory" },
  "file-too-large": { is: "is larger than allowed", next: "Look what is there and move it away" },
  "file-exists": { is: "is there already", next: "Move it away or name another path" },
  "file-name": { is: "is not a usable path", next: "Use a shorter path without NUL characters" },
  "file-unavailable": { is: "could not be used", next: "Check the disk and try again" },
};

/** The Failure of a file that could not be used; `found` says what is there instead, e.g. "a FIFO". */
export function fileFailure(
  code: FileFailureCode,
  path: string,
  options: { readonly found?: string; readonly cause?: unknown } = {},
): Failure {
  const { is, next } = fileTexts[code];
  return new Failure("error", {
    code,
    message: `${shownText(path)} ${options.found === undefined ? is : `is ${options.found}`}`,
    next,
    cause: options.cause,
    details: { path },
  });
}

/** The Failure of a lock that another process did not release in time. */
export function lockBusy(what: string, holderPid: number): Failure {
  return new Failure("error", {
    code: "busy",
    message: `Process ${holderPid} is using ${shownText(what)}`,
    next: "Try again in a moment",
    details: { holder_pid: holderPid },
  });
}

/** The Failure of a program that is not installed or not on PATH. */
export function programMissing(file: string, cause?: unknown): Failure {
  return new Failure("error", {
    code: "program-missing",
    message: `The program ${shownText(file)} was not found or may not be run`,
    next: "Install it or add its directory to PATH",
    cause,
    details: { program: file },
  });
}
