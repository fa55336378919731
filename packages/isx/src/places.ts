import { isAbsolute, join } from "node:path";
import { programDirectories } from "@agent-control/base";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this user's files are; nothing of it needs to exist. */
export interface Places {
  /** What a person approves for agents. */
  readonly mcpFile: string;
  readonly configFile: string;
  /** The directory of the two files above, with `images/` and `tools/` below it. */
  readonly configDirectory: string;
  readonly stateDirectory: string;
  readonly auditLog: string;
  /** Incus' unix socket. */
  readonly incusSocket: string;
  /** The Incus project that everything is made in. */
  readonly incusProject: string;
}

/** The XDG directories of `incus-spawn`; Incus where its own command would look. */
export function placesOf(env: Environment, home: string): Places {
  const { config, state } = programDirectories("incus-spawn", env, home);
  return {
    mcpFile: join(config, "mcp.yaml"),
    configFile: join(config, "config.yaml"),
    configDirectory: config,
    stateDirectory: state,
    auditLog: join(state, "mcp.log"),
    incusSocket: incusSocket(env),
    incusProject: env["INCUS_PROJECT"] || "default",
  };
}

function incusSocket(env: Environment): string {
  const { INCUS_SOCKET: socket, INCUS_DIR: directory } = env;
  if (socket !== undefined && isAbsolute(socket)) return socket;
  const base = directory !== undefined && isAbsolute(directory) ? directory : "/var/lib/incus";
  return join(base, "unix.socket");
}
