import {
  Failure,
  type FileFailureCode,
  fileFailure,
  plainText,
  programMissing,
  shownText,
} from "@agent-control/base";

const fileCodes: Readonly<Record<string, FileFailureCode>> = {
  ENOENT: "file-missing",
  EACCES: "file-denied",
  EPERM: "file-denied",
  EROFS: "file-denied",
  ENOSPC: "file-full",
  EDQUOT: "file-full",
  EISDIR: "file-kind",
  ENOTDIR: "file-kind",
  ENXIO: "file-kind",
  ENODEV: "file-kind",
  EFBIG: "file-too-large",
  ELOOP: "file-link",
  EEXIST: "file-exists",
  ENOTEMPTY: "file-exists",
  ENAMETOOLONG: "file-name",
  ERR_INVALID_ARG_VALUE: "file-name",
};

/** The code of a Node system error, e.g. "ENOENT"; undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** A system error about a path as a Failure; a Failure passes through, and an error without a code is a bug and stays one. */
export function asFileFailure(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof Failure || code === undefined) return error;
  return fileFailure(fileCodes[code] ?? "file-unavailable", path, { cause: error });
}

/** A system error of `fs.watch` as a Failure. */
export function asWatchFailure(error: unknown, directory: string): unknown {
  const code = errorCode(error);
  if (code !== "ENOSPC" && code !== "EMFILE" && code !== "ENFILE") return asFileFailure(error, directory);
  return new Failure("unavailable", {
    code: "watch-limit",
    message: `${shownText(directory)} cannot be watched because this user watches too many files`,
    next: "Raise fs.inotify.max_user_watches and max_user_instances, or stop other watchers",
    cause: error,
  });
}

/** A system error of starting a program as a Failure. */
export function asProgramFailure(error: unknown, file: string): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") return programMissing(file, error);
  if (code === "E2BIG") return programArguments(file, "its arguments are too long", error);
  return new Failure("error", {
    code: "program-unavailable",
    message: `The program ${shownText(file)} could not be started: ${systemText(error)}`,
    next: "Free processes or memory and try again",
    cause: error,
  });
}

/** The Failure of arguments that the kernel does not take. */
export function programArguments(file: string, why: string, cause?: unknown): Failure {
  return new Failure("error", {
    code: "program-arguments",
    message: `The program ${shownText(file)} could not be started: ${why}`,
    next: "Pass shorter arguments without NUL characters",
    cause,
  });
}

/** A system error of sending a signal as a Failure. */
export function asSignalFailure(error: unknown, pid: number): unknown {
  if (errorCode(error) === undefined) return error;
  return new Failure("error", {
    code: "process-denied",
    message: `Process ${pid} may not be signalled by this user`,
    next: "Ask its owner to end it",
    cause: error,
  });
}

/** The Failure of a process table that cannot be looked at. */
export function processTableUnavailable(why: string, cause?: unknown): Failure {
  return new Failure("unavailable", {
    code: "process-table-unavailable",
    message: `The processes of this machine cannot be looked at: ${why}`,
    next: "Mount /proc of this PID namespace, without hidepid",
    cause,
  });
}

function systemText(error: unknown): string {
  return plainText(error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
}
