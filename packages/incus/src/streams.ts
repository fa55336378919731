import { WebSocket } from "ws";

type Sink = (chunk: Uint8Array) => void | Promise<void>;

/**
 * Hands every message to the sink, one after the other, and lets no more come in while the sink is busy: the guest
 * is held back. Resolves when the stream is closed and everything was handed over; rejects with what the sink throws.
 */
export function drain(socket: WebSocket, sink: Sink = () => {}): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting = 0;
    let handed = Promise.resolve();
    const handOver = async (chunk: Buffer) => {
      await sink(chunk);
      waiting -= 1;
      if (waiting === 0) socket.resume();
    };
    socket.on("message", (chunk: Buffer) => {
      // The end mark of Incus is an empty message.
      if (chunk.length === 0) return;
      if (waiting === 0) socket.pause();
      waiting += 1;
      handed = handed.then(() => handOver(chunk));
      handed.catch(reject);
    });
    endOf(socket).then(() => handed.then(resolve, reject));
  });
}

/** Sends what the source gives and then the end of input, no faster than the guest reads; rejects only with what the source throws. */
export async function feed(
  socket: WebSocket,
  source: Uint8Array | AsyncIterable<Uint8Array> = empty,
): Promise<void> {
  for await (const piece of source instanceof Uint8Array ? piecesOf(source) : source) {
    // A program may end before it has read its input.
    if (socket.readyState !== WebSocket.OPEN) return;
    await sent(socket, piece);
  }
  socket.close();
}

/** Resolves when the socket is closed, by whomever. */
export function endOf(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.on("close", resolve);
  });
}

const empty = new Uint8Array();
const pieceLength = 64 * 1024;

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceLength) {
    yield bytes.subarray(start, start + pieceLength);
  }
}

function sent(socket: WebSocket, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => socket.send(piece, () => resolve()));
}
