import { type ExecPorts, startExec } from "./exec-session.ts";
import type { ExecEnded, ExecRequest } from "./incus.ts";
import { drain, feed } from "./streams.ts";

/** Runs a program with its streams apart, as `Incus.exec` says. */
export async function exec(ports: ExecPorts, instance: string, request: ExecRequest): Promise<ExecEnded> {
  const { signal } = request;
  const session = await startExec(ports, { instance, request, signal });
  const control = session.open("control");
  const stdin = session.open("0");
  const stdout = session.open("1");
  const stderr = session.open("2");
  const sockets = [control, stdin, stdout, stderr];
  try {
    // Before anything is awaited, so that no output comes without its listener.
    const drained = Promise.all([drain(stdout, request.onStdout), drain(stderr, request.onStderr)]);
    const opened = Promise.all(sockets.map((socket) => ports.connection.opened(socket)));
    const fed = opened.then(() => feed(stdin, request.stdin));
    const ended = Promise.all([session.exitCode(signal), drained, opened]);
    const [exitCode] = await Promise.race([ended, rejectionOf(fed)]);
    return { exitCode };
  } finally {
    // Without its control stream Incus kills a program that still runs.
    for (const socket of sockets) socket.terminate();
  }
}

/** Never resolves: a source of input that goes on is no reason to wait. */
function rejectionOf(promise: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    promise.catch(reject);
  });
}
