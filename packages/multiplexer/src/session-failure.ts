import { Failure, plainText } from "@agent-control/base";

/** The Failure of opening something in a session that has ended. */
export function sessionGone(name: string): Failure {
  return new Failure("exited", {
    code: "session-gone",
    message: `The session ${JSON.stringify(plainText(name))} is not running`,
    next: "Start the session again",
  });
}

/** The refusal of a second session with one name. */
export function nameTaken(name: string): Failure {
  return new Failure("refused", {
    code: "session-exists",
    message: `A session named ${JSON.stringify(plainText(name))} is already running`,
    next: "Use that session, or choose another name",
  });
}

/** The refusal of a terminal within a terminal. */
export function insideAnother(multiplexer: string, name: string): Failure {
  return new Failure("refused", {
    code: "terminal-inside-another",
    message: `This terminal is a pane of another ${multiplexer} server, so session ${JSON.stringify(plainText(name))} is not shown in it`,
    next: "Run this again in a terminal outside of it",
  });
}
