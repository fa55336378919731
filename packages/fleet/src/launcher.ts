import { shellQuote } from "@agent-control/harness";
import type { Launch } from "./launch.ts";

/**
 * The pane's first process: a fixed script, the same for every launch. It runs the claiming program it is given as
 * arguments, then becomes what that printed. Its own pid and start time stay, so they are the agent's; its variable
 * has a name that `execLine` removes, should the environment hold one of that name.
 */
const script = 'TONGS_AGENTS_LINE=$(exec "$@") || exit; eval "$TONGS_AGENTS_LINE"';

/** The argv that a multiplexer starts for a launch; nothing of the profile is in it. */
export function launcherArgv(
  claimProgram: readonly string[],
  launch: Pick<Launch, "id" | "stateDirectory">,
): string[] {
  return ["/bin/sh", "-c", script, "tongs-agents", ...claimProgram, "pane", launch.id, launch.stateDirectory];
}

/**
 * One command of POSIX shell that changes into the launch's directory and becomes its program: every value in single
 * quotes, stale names of the inherited environment removed, the profile's set. `argv[0]` holds no `=`.
 */
export function execLine(launch: Launch, inheritedNames: readonly string[]): string {
  const environment = { ...launch.env, ...launchEnvironment(launch) };
  const stale = inheritedNames.filter((name) => isStale(name) && !(name in environment));
  const words = [
    ...stale.flatMap((name) => ["-u", name]),
    "--",
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...launch.argv,
  ];
  return `cd -- ${shellQuote(launch.cwd)} && exec env ${words.map(shellQuote).join(" ")}\n`;
}

/** What an agent's MCP server and hooks know their launch by. */
export function launchEnvironment(launch: Launch): Readonly<Record<string, string>> {
  return {
    TONGS_AGENTS_LAUNCH_ID: launch.id,
    TONGS_AGENTS_STATE_DIR: launch.stateDirectory,
    TONGS_AGENTS_CONFIG: launch.configFile,
  };
}

function isStale(name: string): boolean {
  return name.startsWith("TONGS_AGENTS_") || name === "CLAUDECODE" || name === "CLAUDE_CODE_SESSION_ID";
}
