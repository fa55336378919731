import { asFailure } from "@agent-control/base";
import type { Finding } from "@agent-control/cli";
import { isSafeSocket, tmuxSocket } from "@agent-control/multiplexer";
import type { CommandPorts } from "../command-ports.ts";
import type { Check } from "./check.ts";

/** tmux: there, new enough, and a socket that it can use and only this user. */
export const multiplexerCheck: Check = {
  name: "tmux",
  look: async (ports) => {
    const tmux = await ports.fleet.multiplexer("tmux");
    const socket = await workspaceSocket(ports);
    const bytes = Buffer.byteLength(socket);
    const present = ports.machine.files.realPath(socket) !== undefined;
    const safe = isSafeSocket(ports.machine.files, socket, ports.facts.uid);
    if (present && !safe.allow) {
      return [{ check: "socket", level: "fail", message: safe.reason, next: safe.next }];
    }
    const server = present ? await tmux.server(socket) : undefined;
    const running = server ? `tmux ${server.version} answers` : "no tmux server runs yet";
    const row: Finding = {
      check: "socket",
      level: "ok",
      message: `${running} at ${socket} (${bytes} of 107 bytes)`,
    };
    return [{ check: "tmux", level: "ok", message: "tmux is installed and new enough" }, row];
  },
};

/** The socket of the configured workspace; tmux's own when the configuration cannot be read, which is another row. */
async function workspaceSocket({ config, facts }: CommandPorts): Promise<string> {
  const { env, uid } = facts;
  const socket = await config().then(
    ({ workspace }) => workspace.socket,
    (error: unknown) => {
      if (!asFailure(error)) throw error;
      return "";
    },
  );
  return tmuxSocket({ socket, env, uid });
}
