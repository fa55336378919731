import type { Multiplexer } from "@agent-control/multiplexer";

/**
 * The same multiplexer with its looks shared: while one is under way, everyone who asks the same gets the next one,
 * which begins after they asked. So many waits on one pane cost no more than two looks at a time, and none is stale.
 */
export function withSharedLooks(multiplexer: Multiplexer): Multiplexer {
  const server = sharing<Awaited<ReturnType<Multiplexer["server"]>>>();
  const panes = sharing<Awaited<ReturnType<Multiplexer["panes"]>>>();
  const screen = sharing<Awaited<ReturnType<Multiplexer["screen"]>>>();
  return {
    ...multiplexer,
    server: (socket) => server(socket, () => multiplexer.server(socket)),
    panes: (session) => panes(keyOf(session), () => multiplexer.panes(session)),
    screen: (pane) => screen(`${keyOf(pane.session)}\0${pane.paneId}`, () => multiplexer.screen(pane)),
  };
}

function keyOf({ socket, id }: { readonly socket: string; readonly id: string }): string {
  return `${socket}\0${id}`;
}

interface Lane<T> {
  readonly running: Promise<T>;
  next: Promise<T> | undefined;
}

function sharing<T>(): (key: string, look: () => Promise<T>) => Promise<T> {
  const lanes = new Map<string, Lane<T>>();
  const start = (key: string, look: () => Promise<T>): Promise<T> => {
    const running = look().finally(() => {
      if (lane.next === undefined) lanes.delete(key);
    });
    const lane: Lane<T> = { running, next: undefined };
    lanes.set(key, lane);
    return running;
  };
  return (key, look) => {
    const lane = lanes.get(key);
    if (lane === undefined) return start(key, look);
    const again = () => start(key, look);
    lane.next ??= lane.running.then(again, again);
    return lane.next;
  };
}
