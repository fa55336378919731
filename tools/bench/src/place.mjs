import { fileURLToPath } from "node:url";
import { createPrivatePlace } from "../../private-place.mjs";

/** The built program. */
export const program =
  process.env.TONGS_AGENTS_PROGRAM ??
  fileURLToPath(new URL("../../../packages/tongs-agents/dist/bin.js", import.meta.url));

/** argv of the servers that are compared. */
export const ownServer = [process.execPath, program, "mcp"];
export const knownServer = (directory) => [
  process.execPath,
  fileURLToPath(
    new URL("../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
  ),
  directory,
];

/** A private environment with control on, removed with its tmux server by `remove`. */
export function createPlace() {
  const place = createPrivatePlace("ac-bench-");
  const writeConfig = (profiles) => place.writeConfig(profiles, "mcp_rate_per_minute = 60");
  writeConfig("");
  return { ...place, writeConfig };
}
