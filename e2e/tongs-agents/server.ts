import * as shared from "../shared/server.ts";
import { program } from "./world.ts";

export { descendantsOf, isGone, type Server } from "../shared/server.ts";

/** argv of the program's MCP server. */
export const serverArgv: readonly [string, ...string[]] = [process.execPath, program, "mcp"];

/** Starts a server with exactly this environment. */
export function startServer(
  env: Record<string, string>,
  options: { readonly argv?: readonly [string, ...string[]]; readonly cwd?: string } = {},
): shared.Server {
  return shared.startServer(env, { argv: serverArgv, ...options });
}
