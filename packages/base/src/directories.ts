import { isAbsolute, join } from "node:path";

export interface ProgramDirectories {
  readonly config: string;
  readonly state: string;
  /** Gone after a reboot when XDG_RUNTIME_DIR is set; otherwise `<state>/run`. */
  readonly runtime: string;
}

/** The XDG directories of a program; a relative XDG value is ignored, as the specification says. */
export function programDirectories(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): ProgramDirectories {
  const state = join(absolute(env["XDG_STATE_HOME"]) ?? join(home, ".local", "state"), program);
  const runtime = absolute(env["XDG_RUNTIME_DIR"]);
  return {
    config: join(absolute(env["XDG_CONFIG_HOME"]) ?? join(home, ".config"), program),
    state,
    runtime: runtime === undefined ? join(state, "run") : join(runtime, program),
  };
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
