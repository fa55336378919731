import { Failure, plainText, shownText } from "@agent-control/base";

/** A "no" of the daemon: what kind of no, and its own words, made safe. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly said: string;
}

export type RefusalCode =
  | "already-running"
  | "already-stopped"
  | "command-missing"
  | "command-too-long"
  | "command-not-executable"
  | "image-missing"
  | "incus-closed"
  | "incus-refused"
  | "instance-busy"
  | "instance-frozen"
  | "instance-not-found"
  | "instance-not-running"
  | "instance-running"
  | "instance-stopping"
  | "name-taken"
  | "not-a-directory"
  | "not-found"
  | "operation-gone"
  | "pool-full"
  | "project-missing"
  | "stale"
  | "stop-too-slow";

const longestText = 2048;

/** Reads a refusal: `status` is the HTTP status or the answer's `error_code`, `text` the daemon's error text. */
export function readRefusal(status: number, text: string): Refusal {
  const said = safeText(text);
  if (status === 412) return { code: "stale", said };
  const known = knownTexts.find(([pattern]) => pattern.test(text));
  return { code: known?.[1] ?? (status === 404 ? "not-found" : "incus-refused"), said };
}

// As Incus 6.0 words them; the first that fits counts.
const knownTexts: readonly (readonly [RegExp, RefusalCode])[] = [
  [/^Command not found/, "command-missing"],
  [/^Command not executable/, "command-not-executable"],
  [/argument list too long/, "command-too-long"],
  [/^Operation not found/, "operation-gone"],
  [/^forbidden|not authorized|does not have permission/i, "incus-closed"],
  [/no space left on device|disk quota exceeded/i, "pool-full"],
  [/image not provided|image not found|failed getting image|alias .* doesn't exist/i, "image-missing"],
  [/unique constraint failed|already exists|already in use/i, "name-taken"],
  [/instance not found/i, "instance-not-found"],
  [/project not found/i, "project-missing"],
  [/instance is busy|busy running a "/i, "instance-busy"],
  [/^invalid pid/i, "instance-stopping"],
  [/: not a directory/, "not-a-directory"],
  [/already running/i, "already-running"],
  [/already stopped/i, "already-stopped"],
  [/instance is not running|instance isn't running/i, "instance-not-running"],
  [/instance is frozen|is frozen/i, "instance-frozen"],
  [/instance is running/i, "instance-running"],
  [/shutting down instance|deadline exceeded|timed? ?out/i, "stop-too-slow"],
];

interface Wording {
  readonly outcome: "error" | "unavailable";
  readonly is: string;
  readonly next: string;
}

const joinGroup =
  "Join the group incus-admin (`sudo usermod -aG incus-admin $USER`) and start again from a new login";

const wordings: Readonly<Partial<Record<RefusalCode, Wording>>> = {
  "image-missing": {
    outcome: "error",
    is: "The image does not exist in Incus",
    next: "List what there is with `incus image list`",
  },
  "incus-closed": { outcome: "unavailable", is: "Incus does not let this user in", next: joinGroup },
  "instance-busy": {
    outcome: "error",
    is: "Another operation runs on the instance",
    next: "Wait until it has ended, then try again",
  },
  "instance-frozen": {
    outcome: "error",
    is: "The instance is paused",
    next: "Resume it first (`incus resume`)",
  },
  "instance-not-found": {
    outcome: "error",
    is: "The instance does not exist",
    next: "List the instances to see which do",
  },
  "instance-not-running": {
    outcome: "error",
    is: "The instance is not running",
    next: "Start it first",
  },
  "instance-running": { outcome: "error", is: "The instance is running", next: "Stop it first" },
  "name-taken": { outcome: "error", is: "The name is taken", next: "Choose another name" },
  "operation-gone": {
    outcome: "unavailable",
    is: "Incus no longer knows the operation, so how it ended is not known",
    next: "Look what became of it, then try again",
  },
  "pool-full": {
    outcome: "error",
    is: "The storage pool is full",
    next: "Delete instances that are no longer needed, or enlarge the pool",
  },
  "project-missing": {
    outcome: "error",
    is: "The Incus project does not exist",
    next: "Check INCUS_PROJECT against `incus project list`",
  },
  stale: {
    outcome: "error",
    is: "It was changed by someone else meanwhile",
    next: "Read it again, then try again",
  },
};

/** The Failure of a refusal; `doing` completes "Incus refused to …", e.g. `start web-1`. */
export function refused(refusal: Refusal, doing: string): Failure {
  const { code, said } = refusal;
  const wording = wordings[code];
  const details = { incus_said: said };
  const message = `Incus refused to ${shownText(doing)}`;
  if (wording === undefined) {
    return new Failure("error", {
      code: "incus-refused",
      message: said === "" ? message : `${message}: ${said}`,
      next: "See what its text says, then try again",
      details,
    });
  }
  const { outcome, is, next } = wording;
  return new Failure(outcome, { code, message: `${message}: ${lowerFirst(is)}`, next, details });
}

/** The Failure of a connection that did not come about or broke; `error` is what the socket said. */
export function unreachable(socketPath: string, error: unknown): Failure {
  const place = shownText(socketPath);
  const parts = connectParts(errorCode(error), place);
  return new Failure("unavailable", { ...parts, cause: error });
}

function connectParts(code: string, place: string) {
  if (code === "EACCES" || code === "EPERM") {
    return { code: "incus-closed", message: `This user may not use Incus at ${place}`, next: joinGroup };
  }
  if (code === "ENOENT") {
    return {
      code: "incus-missing",
      message: `Incus is not installed or is stopped: there is no socket at ${place}`,
      next: "Install it (`sudo apt install incus`) or start it (`sudo systemctl start incus`)",
    };
  }
  if (code === "ECONNREFUSED" || code === "ENOTSOCK") {
    return {
      code: "incus-stopped",
      message: `Incus is stopped: nobody listens at ${place}`,
      next: "Start it (`sudo systemctl start incus`), then try again",
    };
  }
  return {
    code: "incus-unreachable",
    message: `The connection to Incus at ${place} broke (${shownText(code)})`,
    next: "See whether Incus runs (`systemctl status incus`) and what became of the call, then try again",
  };
}

/** The Failure of an answer that ended in the middle. */
export function unfinished(cause: unknown): Failure {
  return new Failure("unavailable", {
    code: "incus-unreachable",
    message: "Incus ended an answer in the middle: it was stopped, or the file was changed while it was read",
    next: "Try again",
    cause,
  });
}

/** The Failure of an answer that is not what Incus documents. */
export function unreadable(what: string, cause?: unknown): Failure {
  return new Failure("error", {
    code: "incus-unreadable",
    message: `The answer of Incus about ${shownText(what)} could not be read`,
    next: "Check that it is Incus 6.0 or newer that listens there",
    cause,
  });
}

/** The Failure of a request that is refused before it is sent. */
export function badRequest(code: string, message: string, next: string): Failure {
  return new Failure("usage", { code, message, next });
}

/** The Failure of a path at which something else than asked for is. */
export function wrongKind(path: string, found: string): Failure {
  return new Failure("error", {
    code: "guest-file-kind",
    message: `${shownText(path)} in the guest is ${found}`,
    next: "Look what is there, and name another path",
    details: { path },
  });
}

/** The Failure of a file that does not answer. */
export function fileTooSlow(path: string): Failure {
  return new Failure("error", {
    code: "guest-file-stuck",
    message: `${shownText(path)} in the guest did not answer; it may be a FIFO or on a dead mount`,
    next: "Look what is there with a program in the guest",
    details: { path },
  });
}

/** The Failure of a program that the kernel did not start. */
export function notStarted(): Failure {
  return new Failure("error", {
    code: "program-not-started",
    message: "The program could not be started: mostly its arguments and environment are too long in all",
    next: "Pass long texts on stdin or in a file",
  });
}

/** The Failure of a call on an instance that stopped while the call ran. */
export function stoppedMeanwhile(instance: string): Failure {
  return new Failure("error", {
    code: "instance-not-running",
    message: `The instance ${shownText(instance)} stopped while the program ran`,
    next: "Start it, then try again",
  });
}

/** The `code` of a system error, e.g. "ECONNREFUSED"; otherwise its message, made safe. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return safeText(error instanceof Error ? error.message : String(error));
}

function safeText(text: string): string {
  // A failed unpack says a line for each file: cut before anything is done with it.
  const plain = plainText(text.slice(0, 4 * longestText)).trim();
  const bytes = Buffer.from(plain);
  if (bytes.length <= longestText) return plain;
  return `${new TextDecoder().decode(bytes.subarray(0, longestText - 8)).replace(/\ufffd$/, "")} …`;
}

function lowerFirst(text: string): string {
  return text.startsWith("Incus") ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
