import { spawn } from "node:child_process";
import type { FakeProgram } from "../src/fake-exec.ts";

/** Runs the fake guest's programs on this machine, so that the suite sees true streams and exit codes. */
export const hostProgram: FakeProgram = ({ request, stdin, stdout, stderr, killed }) =>
  new Promise((resolve, reject) => {
    const [file = "", ...args] = request.command;
    const env = { PATH: process.env["PATH"] ?? "", ...request.environment };
    const child = spawn(file, args, { cwd: request.cwd ?? "/", env, detached: true });
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    killed.addEventListener("abort", kill, { once: true });
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EACCES" ? 126 : 127));
    child.stdin.on("error", () => {}); // it may end before it has read everything
    child.stdin.end(stdin);
    const drained = Promise.all([pass(child.stdout, stdout), pass(child.stderr, stderr)]);
    drained.catch((error: unknown) => {
      kill();
      reject(error);
    });
    child.on("close", (code, signal) => {
      killed.removeEventListener("abort", kill);
      drained.then(() => resolve(code ?? 128 + signalNumber(signal)), reject);
    });
  });

async function pass(from: AsyncIterable<Buffer>, to: (chunk: Buffer) => Promise<void>): Promise<void> {
  for await (const chunk of from) await to(chunk);
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === "SIGKILL" ? 9 : 15;
}
