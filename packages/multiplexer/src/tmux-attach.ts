import type { Files } from "@agent-control/base";
import type { Attachment, SessionRef } from "./multiplexer.ts";
import { insideAnother } from "./session-failure.ts";
import { sessionTarget } from "./tmux-target.ts";

interface Terminal {
  readonly files: Files;
  /** Variables of the terminal; in a pane TMUX names its server: `socket,pid,session`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How the terminal with this environment joins the session; see `Multiplexer.attachment`. */
export function attachTerminal({ files, env }: Terminal, session: SessionRef): Attachment {
  const around = serverAround(files, env["TMUX"]);
  if (around !== undefined && around !== session.socket) throw insideAnother("tmux", session.name);
  // The client finds the terminal that it moves by the pane it was started in.
  const left = around === undefined ? ["TMUX", "TMUX_PANE"] : [];
  const verb = around === undefined ? "attach-session" : "switch-client";
  return {
    argv: ["tmux", "-S", session.socket, verb, "-t", sessionTarget(session)],
    env: Object.fromEntries(
      Object.entries(env).filter(
        (entry): entry is [string, string] => entry[1] !== undefined && !left.includes(entry[0]),
      ),
    ),
  };
}

/** The socket of the server whose pane this is; undefined outside of one, or when it is gone. */
function serverAround(files: Files, variable: string | undefined): string | undefined {
  const socket = /^(.+),\d+,\d+$/.exec(variable ?? "")?.[1];
  return socket === undefined ? undefined : files.realPath(socket);
}
