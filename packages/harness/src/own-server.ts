import { Failure, shownText } from "@agent-control/base";
import type { AgentPlace } from "./managed-file.ts";

/** The name under which the MCP server is registered everywhere. */
export const serverName = "tongs-agents";

/** Seconds: the longest wait of a tool is 600. */
export const toolTimeoutSeconds = 660;

/** argv of the MCP server. */
export function serverArgv({ program }: Pick<AgentPlace, "program">): readonly [string, ...string[]] {
  const [command = "", ...args] = program;
  return [command, ...args, "mcp"];
}

/** Whether install wrote this argv, now or from another place: absolute words, then the verb. */
export function isOwnServer(argv: readonly unknown[]): argv is readonly string[] {
  const program = argv.slice(0, -1);
  return program.length > 0 && argv.at(-1) === "mcp" && program.every(isAbsolute);
}

/** The refusal to touch an entry of our name that somebody else wrote. */
export function foreignServer(path: string): Failure {
  return new Failure("refused", {
    code: "foreign-server-entry",
    message: `${shownText(path)} has an MCP server ${serverName} that install did not write`,
    next: "Remove or rename that entry, then run this again",
    details: { path },
  });
}

function isAbsolute(word: unknown): boolean {
  return typeof word === "string" && word.startsWith("/");
}
