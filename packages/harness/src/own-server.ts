import { Failure, shownText } from "@agent-control/base";
import type { AgentPlace } from "./managed-file.ts";

/** An MCP server as agent CLIs are told about it. */
export interface ServerEntry {
  /** The name under which it is registered everywhere. */
  readonly name: string;
  readonly argv: readonly string[];
  /** Variables that the entry itself sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that Codex passes on, besides the few that it never clears. */
  readonly passedOn: readonly string[];
  /** What a person runs to have the entry written. */
  readonly writtenBy: string;
  /** Which entries of this name give way: those that `writtenBy` wrote, or any. */
  readonly replaces: "own" | "any";
}

/** Seconds: the longest wait of a tool is 600. */
export const toolTimeoutSeconds = 660;

/** The MCP server of tongs-agents. */
export function tongsServer({ program }: Pick<AgentPlace, "program">): ServerEntry {
  return {
    name: "tongs-agents",
    argv: [...program, "mcp"],
    env: {},
    passedOn: tongsVariables,
    writtenBy: "tongs-agents install",
    replaces: "own",
  };
}

const tongsVariables: readonly string[] = [
  "TONGS_AGENTS_LAUNCH_ID",
  "TONGS_AGENTS_STATE_DIR",
  "TONGS_AGENTS_CONFIG",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_RUNTIME_DIR",
  "TMUX",
  "TMUX_PANE",
  "TMUX_TMPDIR",
  "ZELLIJ",
  "ZELLIJ_PANE_ID",
  "ZELLIJ_SESSION_NAME",
  "ZELLIJ_SOCKET_DIR",
];

/** Whether an entry of the server's name with this argv gives way. Ours are absolute words, then the verb. */
export function givesWay(server: ServerEntry, argv: readonly unknown[]): boolean {
  if (server.replaces === "any") return true;
  const program = argv.slice(0, -1);
  return program.length > 0 && argv.at(-1) === "mcp" && program.every(isAbsolute);
}

/** The refusal to touch an entry of our name that somebody else wrote. */
export function foreignServer(path: string, { name }: ServerEntry): Failure {
  return new Failure("refused", {
    code: "foreign-server-entry",
    message: `${shownText(path)} has an MCP server ${name} that install did not write`,
    next: "Remove or rename that entry, then run this again",
    details: { path },
  });
}

function isAbsolute(word: unknown): boolean {
  return typeof word === "string" && word.startsWith("/");
}
