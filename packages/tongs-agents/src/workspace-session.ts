import { Failure } from "@agent-control/base";
import { findSession, type Multiplexer, type SessionRef, tmuxSocket } from "@agent-control/multiplexer";
import type { TongsConfig } from "@agent-control/policy";
import type { CommandPorts } from "./command-ports.ts";
import type { Place } from "./start-profile.ts";

/** The first pane of a session that this program makes: the person's own shell. */
const homePane = ["/bin/sh", "-c", 'test -x "$SHELL" && exec "$SHELL"; exec /bin/sh'];

/** The person's session of `[workspace]`. */
export interface WorkspaceSession {
  readonly multiplexer: Multiplexer;
  readonly session: SessionRef;
  /** Made by this call, with a home pane. */
  readonly isNew: boolean;
  /** Where a person's launches start: here, on nobody's behalf, relative to the current directory. */
  readonly place: Place;
}

/** Joins the configured session, or makes it. */
export async function openWorkspaceSession(
  ports: CommandPorts,
  config: TongsConfig,
): Promise<WorkspaceSession> {
  const { session: name, socket: configured } = config.workspace;
  const baseDirectory = currentDirectory();
  const multiplexer = await ports.fleet.multiplexer(multiplexerName(config));
  const joined = (session: SessionRef, isNew: boolean): WorkspaceSession => {
    const nobody = { spawnedBy: undefined, capOf: undefined };
    return {
      multiplexer,
      session,
      isNew,
      place: { multiplexer: multiplexer.name, session, baseDirectory, ...nobody },
    };
  };
  const { env, uid } = ports.facts;
  const socket = tmuxSocket({ socket: configured, env, uid });
  const find = async () => findSession(await multiplexer.sessions(socket), name, multiplexer.capabilities);
  const found = await find();
  if (found) return joined(found, false);
  try {
    const { session } = await multiplexer.createSession({ socket, name, argv: homePane });
    return joined(session, true);
  } catch (error) {
    const made = error instanceof Failure && error.code === "session-exists" ? await find() : undefined;
    if (!made) throw error;
    return joined(made, false); // Another call was a moment faster.
  }
}

function multiplexerName({ workspace: { multiplexer } }: TongsConfig): "tmux" | "zellij" {
  return multiplexer === "auto" ? "tmux" : multiplexer;
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure("error", {
      code: "directory-missing",
      message: "The current directory does not exist any more",
      next: "Change into one that does and try again",
      cause,
    });
  }
}
