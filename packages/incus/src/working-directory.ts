import { Failure, shownText } from "@agent-control/base";
import type { Connection } from "./connection.ts";
import { readReply } from "./daemon.ts";
import { refused } from "./incus-failure.ts";

export interface DirectoryAsked {
  readonly instance: string;
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

/** Throws code `cwd-missing` unless the directory is there: Incus would run the program in "/" without a word. */
export async function requireDirectory(connection: Connection, asked: DirectoryAsked): Promise<void> {
  const { instance, cwd, signal } = asked;
  // With its slash a link to a directory is one, and anything else is an error.
  const place = { path: ["instances", instance, "files"], query: { path: `${cwd}/` }, signal };
  const answer = await connection.send({ method: "HEAD", ...place });
  if (answer.status === 200) return;
  // An answer to HEAD has no text: ask again for the reason.
  const reply = readReply(await connection.send({ method: "GET", ...place }), place.path);
  if (reply.type !== "refused") return;
  const isMissing = reply.refusal.code === "not-found" || reply.refusal.code === "not-a-directory";
  if (!isMissing) throw refused(reply.refusal, `look at ${cwd} in ${instance}`);
  throw noDirectory(instance, cwd);
}

/** The Failure of a working directory that is not there. */
export function noDirectory(instance: string, cwd: string): Failure {
  return new Failure("error", {
    code: "cwd-missing",
    message: `There is no directory ${shownText(cwd)} in ${shownText(instance)}`,
    next: "Name a directory that exists",
  });
}
