import type { WebSocket } from "ws";
import { type ExecPorts, startExec } from "./exec-session.ts";
import type { ExecEnded, Terminal, TerminalRequest } from "./incus.ts";

/** Opens a terminal in an instance, as `Incus.openTerminal` says. */
export async function openTerminal(
  ports: ExecPorts,
  instance: string,
  request: TerminalRequest,
): Promise<Terminal> {
  const { columns, rows, signal } = request;
  const session = await startExec(ports, { instance, request, terminal: { columns, rows }, signal });
  const control = session.open("control");
  const data = session.open("0");
  const close = () => {
    control.terminate();
    data.terminate();
  };
  closeAtEnd(data, request.onOutput);
  try {
    await Promise.all([ports.connection.opened(control), ports.connection.opened(data)]);
  } catch (error) {
    close();
    throw error;
  }
  const ended = session.exitCode(signal).finally(close);
  return {
    ...handsOn(control, data),
    hangUp: close,
    ended: ended.then((exitCode): ExecEnded => ({ exitCode })),
  };
}

/** For as long as the data stream is open Incus counts the program as running, whatever became of it. */
function closeAtEnd(data: WebSocket, onOutput: TerminalRequest["onOutput"]): void {
  data.on("message", (chunk: Buffer, isBinary) => {
    if (isBinary) onOutput(chunk);
    // The end mark is an empty text.
    else if (chunk.length === 0) data.close();
  });
}

function handsOn(control: WebSocket, data: WebSocket): Pick<Terminal, "write" | "resize"> {
  return {
    write: (bytes) => sendIfOpen(data, bytes),
    resize: (columns, rows) => {
      const args = { width: String(columns), height: String(rows) };
      sendIfOpen(control, JSON.stringify({ command: "window-resize", args }));
    },
  };
}

/** What is typed after the program's end goes nowhere, as on any terminal. */
function sendIfOpen(socket: WebSocket, message: Uint8Array | string): void {
  if (socket.readyState === socket.OPEN) socket.send(message, () => {});
}
