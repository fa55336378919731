import { isAbsolute, join } from "node:path";
import { Failure, programDirectories } from "@agent-control/base";
import type { Places } from "@agent-control/fleet";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this user's config, state and run-time files are: `TONGS_AGENTS_*` first, then the XDG directories. */
export function placesOf(env: Environment, home: string): Places {
  const directories = programDirectories("tongs-agents", env, home);
  const state = override(env, "TONGS_AGENTS_STATE_DIR");
  const runtime = env["XDG_RUNTIME_DIR"];
  return {
    configFile: override(env, "TONGS_AGENTS_CONFIG") ?? join(directories.config, "config.toml"),
    stateDirectory: state ?? directories.state,
    runtimeDirectory:
      state !== undefined && !(runtime !== undefined && isAbsolute(runtime))
        ? join(state, "run")
        : directories.runtime,
  };
}

function override(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (value === undefined || value === "") return undefined;
  if (isAbsolute(value)) return value;
  throw new Failure("usage", {
    code: "path-relative",
    message: `${name} must be an absolute path, not ${JSON.stringify(value)}`,
    next: `Set ${name} to an absolute path, or unset it`,
  });
}
