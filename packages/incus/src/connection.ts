import { Agent } from "node:http";
import { cancelled, Failure, throwIfCancelled } from "@agent-control/base";
import { WebSocket } from "ws";
import { type Answer, exchange, type Request } from "./exchange.ts";
import { unreachable } from "./incus-failure.ts";
import { requireName } from "./name.ts";

/**
 * HTTP and WebSocket to the daemon's unix socket, in one project. Every method throws an `unavailable` Failure when
 * the daemon cannot be reached and the `cancelled` Failure when a signal fires.
 */
export interface Connection {
  send(request: Request): Promise<Answer>;
  /** A WebSocket that is still connecting, so that no message can come before its listeners. */
  openSocket(path: readonly string[], query: Readonly<Record<string, string>>): WebSocket;
  /** Resolves when the WebSocket is open. */
  opened(socket: WebSocket): Promise<void>;
  /** Closes idle connections. */
  close(): void;
}

export interface ConnectionOptions {
  readonly socketPath: string;
  readonly project: string;
}

export function createConnection({ socketPath, project }: ConnectionOptions): Connection {
  // An agent's own `socketPath` wins over any host: WebSockets, too, get to a path with any characters.
  const keeping = { keepAlive: true, socketPath };
  const single = { keepAlive: false, socketPath };
  const keptAlive = new Agent(keeping);
  const fresh = new Agent(single);

  function urlOf(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
    const search = new URLSearchParams({ project, ...query });
    return `/1.0${path.map((element) => `/${escaped(element)}`).join("")}?${search}`;
  }

  return {
    async send(request) {
      throwIfCancelled(request.signal);
      const url = urlOf(request.path, request.query);
      // What changes something gets a connection of its own: on a kept one that the daemon has just closed nobody
      // could tell whether it was carried out.
      const route = request.method === "GET" ? { agent: keptAlive, fallback: fresh } : { agent: fresh };
      try {
        return await exchange(request, { ...route, url });
      } catch (error) {
        if (request.signal?.aborted) throw cancelled(error);
        throw error instanceof Failure ? error : unreachable(socketPath, error);
      }
    },
    openSocket(path, query) {
      const options = { agent: fresh, perMessageDeflate: false };
      const socket = new WebSocket(`ws://incus${urlOf(path, query)}`, options);
      // A close follows each error; `opened` tells of one before, and the operation what became of the rest.
      socket.on("error", () => {});
      return socket;
    },
    opened: (socket) =>
      new Promise((resolve, reject) => {
        const broken = (error: unknown) => reject(unreachable(socketPath, error));
        socket.once("open", resolve);
        socket.once("error", broken);
        socket.once("close", () => broken(new Error("closed")));
      }),
    close() {
      keptAlive.destroy();
      fresh.destroy();
    },
  };
}

function escaped(element: string): string {
  requireName(element);
  return encodeURIComponent(element);
}
