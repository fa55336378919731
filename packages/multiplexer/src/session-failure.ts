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
