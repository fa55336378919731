import { Failure } from "@agent-control/base";
import type { PaneRef, PaneSeen, SessionRef } from "./multiplexer.ts";

export type FakePane = { -readonly [Key in keyof PaneSeen]: PaneSeen[Key] } & {
  readonly argv: readonly string[];
  keepWhenDead: boolean;
  lines: readonly string[];
  received: string;
};

export interface FakeSession {
  readonly ref: SessionRef;
  readonly panes: Map<string, FakePane>;
  focused: string;
  watchers: number;
}

export interface FakeServer {
  readonly pid: number;
  readonly sessions: Map<string, FakeSession>;
  nextSession: number;
  nextPane: number;
}

/** The servers of one test by their sockets; as in life, a server's ids start again when it does. */
export interface FakeWorld {
  /** The server; undefined when none runs. Throws `unavailable` while the socket is silent. */
  server(socket: string): FakeServer | undefined;
  serverOrNew(socket: string): FakeServer;
  session(ref: SessionRef): FakeSession | undefined;
  pane(ref: PaneRef): FakePane | undefined;
  /** The pane of a test's control, which must exist. */
  requirePane(ref: PaneRef): FakePane;
  addPane(server: FakeServer, session: FakeSession, pane: PaneParts): FakePane;
  /** Closes the pane, and with the last one its session and server. */
  removePane(ref: PaneRef): void;
  stop(socket: string): void;
  setSilent(socket: string, silent: boolean): void;
}

type PaneParts = Pick<FakePane, "argv" | "keepWhenDead"> & {
  readonly width?: number;
  readonly height?: number;
};

export function createFakeWorld(): FakeWorld {
  const servers = new Map<string, FakeServer>();
  const silent = new Set<string>();
  let nextPid = 1000;
  const world: FakeWorld = {
    server(socket) {
      if (silent.has(socket)) throw noAnswer();
      return servers.get(socket);
    },
    serverOrNew(socket) {
      const server = world.server(socket) ?? {
        pid: nextPid++,
        sessions: new Map(),
        nextSession: 0,
        nextPane: 0,
      };
      servers.set(socket, server);
      return server;
    },
    session: (ref) => world.server(ref.socket)?.sessions.get(ref.id),
    pane: (ref) => world.session(ref.session)?.panes.get(ref.paneId),
    requirePane(ref) {
      const pane = world.pane(ref);
      if (pane === undefined) throw new Error(`fakeMultiplexer: pane ${ref.paneId} does not exist`);
      return pane;
    },
    addPane(server, session, parts) {
      const ids = { paneId: `%${server.nextPane++}`, pid: nextPid++, serverPid: server.pid };
      const pane = newPane(ids, parts);
      session.panes.set(pane.paneId, pane);
      return pane;
    },
    removePane(ref) {
      const session = world.session(ref.session);
      session?.panes.delete(ref.paneId);
      if (session?.panes.size === 0) servers.get(ref.session.socket)?.sessions.delete(ref.session.id);
      if (servers.get(ref.session.socket)?.sessions.size === 0) servers.delete(ref.session.socket);
    },
    stop: (socket) => void servers.delete(socket),
    setSilent: (socket, on) => void (on ? silent.add(socket) : silent.delete(socket)),
  };
  return world;
}

function newPane(ids: Pick<FakePane, "paneId" | "pid" | "serverPid">, parts: PaneParts): FakePane {
  return {
    ...{ width: 80, height: 24, ...parts },
    ...ids,
    ...{ dead: false, deadStatus: undefined, inMode: false, inputOff: false },
    ...{ synchronized: false, bracketedPaste: true, title: "", lines: [], received: "" },
  };
}

function noAnswer(): Failure {
  return new Failure("unavailable", {
    code: "multiplexer-timeout",
    message: "The multiplexer did not answer",
    next: "See whether its server hangs, then try again",
  });
}
