import { join } from "node:path";
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
}

/** Below the XDG directories, as `incus-spawn`. */
export function placesOf(env: Environment, home: string): Places {
  const { config, state } = programDirectories("incus-spawn", env, home);
  return {
    mcpFile: join(config, "mcp.yaml"),
    configFile: join(config, "config.yaml"),
    configDirectory: config,
    stateDirectory: state,
    auditLog: join(state, "mcp.log"),
  };
}
