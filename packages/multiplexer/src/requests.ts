import { Failure } from "@agent-control/base";

/** The usage Failure of a request that no adapter would carry out. */
export function badRequest(code: string, message: string, next: string): Failure {
  return new Failure("usage", { code, message, next });
}

/** Refuses an argv that a multiplexer would give to a shell, or that no program can be started with. */
export function requireArgv(argv: readonly string[]): void {
  if (argv.length < 2) {
    throw badRequest(
      "argv-too-short",
      "An argv of fewer than two elements would be run by a shell",
      "Start the program through a fixed launcher, e.g. `env -- PROGRAM`",
    );
  }
  if (argv[0] === "" || argv.some((argument) => argument.includes("\0"))) {
    throw badRequest("bad-argv", "The argv holds a NUL character or no program", "Correct the argv");
  }
}

/** Refuses a pane or window name that could mean anything else to a multiplexer. */
export function requirePaneName(name: string): void {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return;
  throw badRequest(
    "bad-pane-name",
    `${JSON.stringify(name)} cannot be the name of a pane`,
    "Use 1 to 64 of the characters A-Z a-z 0-9 . _ -",
  );
}

/** Refuses an empty session name and one with control characters. */
export function requireSessionName(name: string): void {
  if (name !== "" && !/[\u0000-\u001f\u007f-\u009f]/.test(name)) return;
  throw badRequest(
    "bad-session-name",
    `${JSON.stringify(name)} cannot be the name of a session`,
    "Use a name without control characters",
  );
}

/** Refuses empty text and text over `limit` bytes of UTF-8. */
export function requirePasteable(text: string, limit: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0) throw badRequest("empty-text", "There is no text to paste", "Give at least one character");
  if (bytes <= limit) return;
  throw badRequest(
    "text-too-long",
    `The text has ${bytes} bytes, and one paste carries at most ${limit}`,
    "Put the text in a file and name the file",
  );
}
