import { Failure, type Finished, plainText } from "@agent-control/base";
import { badRequest } from "./requests.ts";

/** The answers of tmux that are facts and not faults. */
export type Absence = "no-server" | "not-found" | "name-taken";

/**
 * Reads why a tmux client ended with an error. Returns what is absent; throws a Failure for everything else, so
 * that "could not look" never becomes "not there".
 */
export function readAbsence(finished: Finished): Absence {
  const said = plainText(finished.stderr).trim();
  if (/^no server running on /.test(said)) return "no-server";
  if (/^error connecting to .*\((No such file or directory|Connection refused)\)$/.test(said))
    return "no-server";
  if (/^can't find (session|window|pane): /.test(said)) return "not-found";
  if (/^duplicate session: /.test(said)) return "name-taken";
  if (/^command too long$/.test(said)) throw commandTooLong();
  throw unreachable(said === "" ? ending(finished) : said);
}

/** The Failure of a client that did not end in time. */
export function tooSlow(timeoutMs: number): Failure {
  return new Failure("unavailable", {
    code: "multiplexer-timeout",
    message: `tmux did not answer within ${timeoutMs} ms`,
    next: "See whether the tmux server hangs, then try again",
  });
}

/** The Failure of an answer that is not what was asked for. */
export function unreadable(answer: string): Failure {
  return unreachable(`it answered ${JSON.stringify(plainText(answer).slice(0, 200))}`);
}

/** The Failure of a machine without tmux. */
export function tmuxMissing(cause: unknown): Failure {
  return new Failure("unavailable", {
    code: "tmux-missing",
    message: "tmux is not installed, or not on PATH",
    next: "Install the package tmux, version 3.2 or newer (`apt install tmux`, `brew install tmux`)",
    cause,
  });
}

function commandTooLong(): Failure {
  return badRequest(
    "command-too-long",
    "tmux takes no command line over about 16 000 bytes",
    "Pass long arguments to the program in a file",
  );
}

function unreachable(said: string): Failure {
  return new Failure("unavailable", {
    code: "multiplexer-error",
    message: `tmux could not be asked: ${said.replace(/\s+/g, " ").slice(0, 300)}`,
    next: "See whether the tmux server is well, then try again",
  });
}

function ending(finished: Finished): string {
  return finished.signalName === undefined
    ? `its client ended with exit code ${finished.exitCode}`
    : `its client was ended by ${finished.signalName}`;
}
