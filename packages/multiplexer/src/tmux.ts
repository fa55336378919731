import type { Random } from "@agent-control/base";
import type { Multiplexer } from "./multiplexer.ts";
import { attachTerminal } from "./tmux-attach.ts";
import { createTmuxClient, type TmuxClientPorts } from "./tmux-client.ts";
import { focusPane } from "./tmux-focus.ts";
import { paste, pressKey } from "./tmux-input.ts";
import { closePane, openPane, releasePane } from "./tmux-open.ts";
import { listPanes } from "./tmux-panes.ts";
import { readScreen } from "./tmux-screen.ts";
import { createSession, listSessions, lookAtServer } from "./tmux-sessions.ts";
import { tmuxCapabilities } from "./tmux-version.ts";

export interface TmuxPorts extends TmuxClientPorts {
  /** Names the buffers that texts pass through. */
  readonly random: Random;
}

/**
 * The tmux adapter, for tmux 3.2 or newer. Throws Failure `unavailable` when tmux is not installed and
 * `unsupported` when it is too old. Uses only sockets that `isSafeSocket` allows.
 */
export async function createTmux(ports: TmuxPorts): Promise<Multiplexer> {
  const client = createTmuxClient(ports);
  const capabilities = tmuxCapabilities(await client.version());
  const limit = capabilities.maxPasteBytes;
  return {
    name: "tmux",
    capabilities,
    server: (socket) => lookAtServer(client, socket),
    sessions: (socket) => listSessions(client, socket),
    createSession: (request) => createSession(client, request),
    attachment: (session) => attachTerminal(ports, session),
    panes: async (session) =>
      (await listPanes(client, session))?.map(({ windowId: _window, endUnknown: _end, ...pane }) => pane),
    open: (request) => openPane(client, request),
    release: (pane) => releasePane(client, pane),
    paste: (target, text) => paste(client, target, { text, limit, random: ports.random }),
    pressEnter: (target) => pressKey(client, target, "Enter"),
    pressKey: (target, key) => pressKey(client, target, key),
    screen: (pane) => readScreen(client, pane),
    focus: (pane) => focusPane(client, pane),
    close: (pane) => closePane(client, pane),
  };
}
