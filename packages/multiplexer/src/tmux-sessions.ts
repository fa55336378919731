import type { Multiplexer, PaneRef, ServerSeen, SessionRef } from "./multiplexer.ts";
import { requireArgv, requireSessionName } from "./requests.ts";
import { nameTaken } from "./session-failure.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";

type SessionRequest = Parameters<Multiplexer["createSession"]>[0];

/** The server on the socket; undefined when none answers. */
export async function lookAtServer(client: TmuxClient, socket: string): Promise<ServerSeen | undefined> {
  const answer = await client.ask(socket, sequence(["display-message", "-p", "#{pid}|#{version}"]));
  if (!answer.ok) return undefined;
  const match = /^(\d+)\|(.+)\n$/.exec(answer.stdout);
  if (match === null) throw unreadable(answer.stdout);
  return { pid: Number(match[1]), version: match[2] ?? "" };
}

/** Every session on the socket. */
export async function listSessions(client: TmuxClient, socket: string): Promise<SessionRef[]> {
  const answer = await client.ask(socket, sequence(["list-sessions", "-F", "#{session_id}|#{session_name}"]));
  if (!answer.ok) return [];
  const real = client.realSocket(socket);
  const lines = answer.stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const match = /^(\$\d+)\|(.*)$/u.exec(line);
    if (match === null) throw unreadable(line);
    return { socket: real, id: match[1] ?? "", name: match[2] ?? "" };
  });
}

/**
 * Starts a detached session. tmux changes `.` and `:` in a name; the answer has the name it gave. Variables of
 * `env` can be read in the process list while the call runs, and as long as a server it started lives.
 */
export async function createSession(client: TmuxClient, request: SessionRequest): Promise<PaneRef> {
  requireSessionName(request.name);
  requireArgv(request.argv);
  const answer = await client.askOrStart(request.socket, sequence(newSession(request)));
  if (!answer.ok) {
    throw answer.why === "name-taken" ? nameTaken(request.name) : unreadable(answer.why);
  }
  const match = /^(\$\d+)\|(%\d+)\|(.*)\n$/u.exec(answer.stdout);
  if (match === null) throw unreadable(answer.stdout);
  const socket = client.realSocket(request.socket);
  return { session: { socket, id: match[1] ?? "", name: match[3] ?? "" }, paneId: match[2] ?? "" };
}

function newSession(request: SessionRequest): string[] {
  const { width, height, env = {} } = request;
  return [
    ...["new-session", "-d", "-P", "-F", "#{session_id}|#{pane_id}|#{session_name}"],
    // tmux expands a session name as a format.
    ...["-s", request.name.replaceAll("#", "##")],
    ...(width === undefined ? [] : ["-x", String(width)]),
    ...(height === undefined ? [] : ["-y", String(height)]),
    ...Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]),
    "--",
    ...request.argv,
  ];
}
