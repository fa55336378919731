import { basename, dirname, join } from "node:path";
import { Failure, type Files, type Finished, type Processes, requireAllowed } from "@agent-control/base";
import { isSafeSocket, isSafeSocketDirectory } from "./safe-socket.ts";
import { type Absence, readAbsence, tmuxMissing, tooSlow, unreadable } from "./tmux-failure.ts";
import { requireShortPath } from "./tmux-socket.ts";

export interface TmuxClientPorts {
  readonly processes: Processes;
  readonly files: Files;
  /** The user whose sockets may be used. */
  readonly uid: number;
  /** Variables of this process; TMUX and TMUX_PANE are not passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds until an unanswered call fails; default 10 000. */
  readonly timeoutMs?: number;
}

export type Answer =
  | { readonly ok: true; readonly stdout: string }
  | { readonly ok: false; readonly why: Absence };

/** Runs the tmux command-line client, one short process per call. */
export interface TmuxClient {
  /** What `tmux -V` prints. */
  version(): Promise<string>;
  /** Runs commands on the server of this socket; never starts one. */
  ask(socket: string, command: readonly string[], input?: string): Promise<Answer>;
  /** The same, but a server is started when there is none. */
  askOrStart(socket: string, command: readonly string[]): Promise<Answer>;
  /** The path by which one server is always named; the path itself when nothing is there. */
  realSocket(socket: string): string;
}

export function createTmuxClient(ports: TmuxClientPorts): TmuxClient {
  const { files, uid } = ports;
  const env = environment(ports.env);
  const on = async (socket: string, command: readonly string[], input?: string) =>
    readAnswer(await run(ports, env, ["-u", "-S", requireShortPath(socket), ...command], input));

  return {
    async version() {
      const finished = await run(ports, env, ["-V"]);
      if (finished.exitCode !== 0) throw unreadable(finished.stderr);
      return finished.stdout;
    },
    async ask(socket, command, input) {
      const real = files.realPath(socket);
      if (real === undefined) return { ok: false, why: "no-server" };
      requireAllowed(isSafeSocket(files, real, uid));
      return on(real, command, input);
    },
    async askOrStart(socket, command) {
      return on(existingOrNew(files, socket, uid), command);
    },
    realSocket: (socket) => files.realPath(socket) ?? socket,
  };
}

/** A sequence of tmux commands, each given as its exact arguments. */
export function sequence(...commands: readonly (readonly string[])[]): string[] {
  return commands.flatMap((command, index) => {
    const escaped = command.map(escapeSeparator);
    return index === 0 ? escaped : [";", ...escaped];
  });
}

// tmux takes a `;` at the end of an argument for the end of the command, and `\;` for the character.
function escapeSeparator(argument: string): string {
  return argument.endsWith(";") ? `${argument.slice(0, -1)}\\;` : argument;
}

// A server that this call starts inherits these variables, so only what would mislead the client is left out.
function environment(variables: TmuxClientPorts["env"]): Record<string, string> {
  const kept = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[0] !== "TMUX" && entry[0] !== "TMUX_PANE",
  );
  return Object.fromEntries(kept);
}

async function run(
  ports: TmuxClientPorts,
  env: Record<string, string>,
  args: readonly string[],
  input?: string,
): Promise<Finished> {
  const timeoutMs = ports.timeoutMs ?? 10_000;
  const command = {
    file: "tmux",
    args,
    env,
    timeoutMs,
    maxOutputBytes: 4_000_000,
    ...(input === undefined ? {} : { input }),
  };
  const finished = await ports.processes.run(command).catch((error: unknown) => {
    throw error instanceof Failure && error.code === "program-missing" ? tmuxMissing(error) : error;
  });
  if (finished.timedOut) throw tooSlow(timeoutMs);
  return finished;
}

function readAnswer(finished: Finished): Answer {
  if (finished.exitCode !== 0) return { ok: false, why: readAbsence(finished) };
  if (finished.truncated) throw unreadable(finished.stdout);
  return { ok: true, stdout: finished.stdout };
}

function existingOrNew(files: Files, socket: string, uid: number): string {
  const real = files.realPath(socket);
  if (real !== undefined) {
    requireAllowed(isSafeSocket(files, real, uid));
    return real;
  }
  const asked = dirname(requireShortPath(socket));
  if (files.realPath(asked) === undefined) files.makeDirectory(asked);
  const directory = files.realPath(asked) ?? asked;
  requireAllowed(isSafeSocketDirectory(files, directory, uid));
  return join(directory, basename(socket));
}
