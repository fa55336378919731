import { createFakeWorld, type FakePane, type FakeWorld } from "./fake-world.ts";
import type {
  Acted,
  Attachment,
  Capabilities,
  Multiplexer,
  Obstacle,
  PaneRef,
  PaneSeen,
  Screen,
  SessionRef,
  Target,
} from "./multiplexer.ts";
import { requireArgv, requirePaneName, requirePasteable, requireSessionName } from "./requests.ts";
import { nameTaken, sessionGone } from "./session-failure.ts";

export interface FakeMultiplexer extends Multiplexer {
  /** Everything the pane's program was given, in order, bracketed-paste markers and keys included. */
  received(pane: PaneRef): string;
  argv(pane: PaneRef): readonly string[];
  /** The pane at the front of the session. */
  focused(session: PaneRef["session"]): string | undefined;
  /** Shows a session on one more terminal, as running the attachment would. */
  attach(attachment: Attachment): void;
  /** How many terminals show the session. */
  watchers(session: SessionRef): number;
  /** Sets what can be seen of the pane. */
  change(pane: PaneRef, facts: Partial<Omit<PaneSeen, "paneId">>): void;
  /** Sets the lines of its screen. */
  show(pane: PaneRef, lines: readonly string[]): void;
  /** Ends its program with this status. */
  end(pane: PaneRef, status?: number): void;
  /** Ends the server with all its sessions. */
  stop(socket: string): void;
  /** While silent, every call about the socket fails as `unavailable`. */
  setSilent(socket: string, silent: boolean): void;
}

const bracketed = (text: string) => `\u001b[200~${text}\u001b[201~`;
const keyBytes = { Enter: "\r", Escape: "\u001b", "C-c": "\u0003" };

/** A multiplexer in memory, with the same ids, refusals and dead panes as a real one; nothing is run. */
export function fakeMultiplexer(
  options: { readonly name?: Multiplexer["name"]; readonly capabilities?: Partial<Capabilities> } = {},
): FakeMultiplexer {
  const world = createFakeWorld();
  const capabilities: Capabilities = {
    ...{ panePid: true, paneModes: true, detachedOpen: true, maxPasteBytes: 1_000_000 },
    ...{ bracketedPasteKnown: true, ...options.capabilities },
  };
  return {
    name: options.name ?? "tmux",
    capabilities,
    ...sessionsOf(world, capabilities),
    ...panesOf(world),
    ...inputOf(world, capabilities),
    ...controlsOf(world),
  };
}

function sessionsOf(world: FakeWorld, capabilities: Capabilities) {
  return {
    async server(socket) {
      const server = world.server(socket);
      return server && { pid: server.pid, version: "fake" };
    },
    async sessions(socket) {
      return [...(world.server(socket)?.sessions.values() ?? [])].map(({ ref }) => ref);
    },
    async createSession({ socket, name, argv, width = 80, height = 24 }) {
      requireSessionName(name);
      requireArgv(argv);
      const taken = [...(world.server(socket)?.sessions.values() ?? [])].some(({ ref }) => ref.name === name);
      if (taken) throw nameTaken(name);
      const server = world.serverOrNew(socket);
      const ref = { socket, id: `$${server.nextSession++}`, name };
      const session = { ref, panes: new Map<string, FakePane>(), focused: "", watchers: 0 };
      server.sessions.set(ref.id, session);
      const { paneId } = world.addPane(server, session, { argv, keepWhenDead: false, width, height });
      session.focused = paneId;
      return { session: ref, paneId };
    },
    attachment: ({ id, socket }) => ({ argv: ["attach", socket, id], env: {} }),
    async panes(ref) {
      const session = world.session(ref);
      return session && [...session.panes.values()].map((pane) => seen(pane, capabilities));
    },
  } satisfies Partial<Multiplexer>;
}

function panesOf(world: FakeWorld) {
  return {
    async open({ session: ref, argv, name, keepWhenDead }) {
      requirePaneName(name);
      requireArgv(argv);
      const server = world.server(ref.socket);
      const session = world.session(ref);
      if (server === undefined || session === undefined) throw sessionGone(ref.name);
      return { session: ref, paneId: world.addPane(server, session, { argv, keepWhenDead }).paneId };
    },
    async release(ref) {
      const pane = world.pane(ref);
      if (pane === undefined) return;
      pane.keepWhenDead = false;
      if (pane.dead) world.removePane(ref);
    },
    async screen(ref): Promise<Screen | undefined> {
      const pane = world.pane(ref);
      if (pane === undefined) return undefined;
      const { title, width, height } = pane;
      const lines = Array.from({ length: height }, (_, row) => pane.lines[row] ?? "");
      const row = Math.max(pane.lines.length - 1, 0);
      return { lines, title, cursor: { row, column: pane.lines[row]?.length ?? 0 }, width, height };
    },
    async focus(ref) {
      const session = world.session(ref.session);
      if (!session?.panes.has(ref.paneId)) return false;
      session.focused = ref.paneId;
      return true;
    },
    async close(ref) {
      world.removePane(ref);
    },
  } satisfies Partial<Multiplexer>;
}

function inputOf(world: FakeWorld, capabilities: Capabilities) {
  const give = (target: Target, bytes: (pane: FakePane) => string): Acted => {
    const obstacle = obstacleTo(world, target, capabilities);
    if (obstacle !== undefined) return { done: false, obstacle };
    const pane = world.requirePane(target.pane);
    pane.received += bytes(pane);
    return { done: true };
  };
  return {
    async paste(target, text) {
      requirePasteable(text, capabilities.maxPasteBytes);
      return give(target, (pane) => (pane.bracketedPaste === false ? text : bracketed(text)));
    },
    pressEnter: async (target) => give(target, () => keyBytes.Enter),
    pressKey: async (target, key) => give(target, () => keyBytes[key]),
  } satisfies Partial<Multiplexer>;
}

function obstacleTo(world: FakeWorld, target: Target, capabilities: Capabilities): Obstacle | undefined {
  const server = world.server(target.pane.session.socket);
  const pane = world.pane(target.pane);
  if (server !== undefined && server.pid !== target.serverPid) return "other-server";
  if (pane === undefined) return "gone";
  if (capabilities.panePid && pane.pid !== target.panePid) return "other-process";
  if (pane.dead) return "dead";
  if (pane.inMode) return "in-mode";
  if (pane.inputOff) return "input-off";
  return pane.synchronized ? "synchronized" : undefined;
}

function controlsOf(world: FakeWorld) {
  return {
    received: (ref) => world.requirePane(ref).received,
    argv: (ref) => world.requirePane(ref).argv,
    focused: (ref) => world.session(ref)?.focused,
    attach({ argv: [, socket = "", id = ""] }) {
      const session = world.session({ socket, id, name: "" });
      if (session === undefined) throw new Error(`fakeMultiplexer: session ${id} does not exist`);
      session.watchers += 1;
    },
    watchers: (ref) => world.session(ref)?.watchers ?? 0,
    change: (ref, facts) => void Object.assign(world.requirePane(ref), facts),
    show: (ref, lines) => {
      world.requirePane(ref).lines = lines;
    },
    end(ref, status = 0) {
      const pane = world.requirePane(ref);
      if (!pane.keepWhenDead) return world.removePane(ref);
      pane.dead = true;
      pane.deadStatus = status;
    },
    stop: world.stop,
    setSilent: world.setSilent,
  } satisfies Partial<FakeMultiplexer>;
}

function seen(pane: FakePane, capabilities: Capabilities): PaneSeen {
  const { argv: _argv, keepWhenDead: _keep, lines: _lines, received: _received, ...facts } = pane;
  return {
    ...facts,
    pid: capabilities.panePid ? facts.pid : undefined,
    bracketedPaste: capabilities.bracketedPasteKnown ? facts.bracketedPaste : undefined,
    ...(capabilities.paneModes ? {} : { inMode: false, inputOff: false, synchronized: false }),
  };
}
