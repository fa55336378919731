import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
  const root = mkdtempSync(join(tmpdir(), "ac-bench-"));
  const socket = join(root, "tmux");
  const directory = (name) => {
    mkdirSync(join(root, name), { mode: 0o700 });
    return join(root, name);
  };
  const env = {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    HOME: directory("home"),
    XDG_CONFIG_HOME: directory("config"),
    XDG_STATE_HOME: directory("state"),
    XDG_RUNTIME_DIR: directory("runtime"),
  };
  const config = join(directory("config/tongs-agents"), "config.toml");
  const writeConfig = (profiles) =>
    writeFileSync(
      config,
      `[control]\nmcp_enabled = true\nmcp_rate_per_minute = 60\n[workspace]\nsocket = ${JSON.stringify(socket)}\n${profiles}`,
    );
  writeConfig("");
  return {
    root,
    env,
    socket,
    writeConfig,
    remove() {
      spawnSync("tmux", ["-S", socket, "kill-server"], { env, stdio: "ignore" });
      rmSync(root, { recursive: true, force: true });
    },
  };
}
