// A place of its own for tongs-agents: a private tmux server and private directories, for what shows and measures it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Made below the system's temporary directory; `remove` ends its tmux server and takes everything away. */
export function createPrivatePlace(prefix) {
  const root = mkdtempSync(join(tmpdir(), prefix));
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
  return {
    root,
    env,
    socket,
    directory,
    /** Writes config.toml with control on; `control` are more lines of its table. */
    writeConfig(profiles, control = "") {
      const workspace = `[workspace]\nsocket = ${JSON.stringify(socket)}\n`;
      writeFileSync(config, `[control]\nmcp_enabled = true\n${control}\n${workspace}\n${profiles}`);
    },
    remove() {
      spawnSync("tmux", ["-S", socket, "kill-server"], { env, stdio: "ignore" });
      rmSync(root, { recursive: true, force: true });
    },
  };
}
