import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createTestClient, type TestClient } from "./test-client.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A server that the test itself started, outside any launched pane, with everything that it writes kept. */
export interface Server extends TestClient {
  readonly pid: number;
  /** Everything on standard output so far. */
  output(): string;
  /** Everything on standard error so far. */
  diagnostics(): string;
  /** Writes bytes as they are; resolves when they were taken, also when nobody will read them. */
  write(bytes: string | Uint8Array): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Stops reading standard output for good. */
  stopReading(): void;
  readonly exited: Promise<Exit>;
}

/** Starts a server with exactly this environment. */
export function startServer(
  env: Record<string, string>,
  options: { readonly argv: readonly [string, ...string[]]; readonly cwd?: string },
): Server {
  const [file, ...args] = options.argv;
  const child = spawn(file, args, { env, stdio: "pipe", ...(options.cwd ? { cwd: options.cwd } : {}) });
  child.stdin.on("error", () => {}); // It may be gone first; `exited` tells.
  let output = "";
  let diagnostics = "";
  const client = createTestClient({
    input: child.stdout,
    output: child.stdin,
    close: () => child.stdin.end(),
  });
  child.stdout.on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    diagnostics += text;
  });
  return {
    ...client,
    pid: child.pid ?? 0,
    output: () => output,
    diagnostics: () => diagnostics,
    write: (bytes) => new Promise((resolve) => child.stdin.write(bytes, () => resolve())),
    signal: (name) => void child.kill(name),
    stopReading: () => void child.stdout.destroy(),
    exited: exitOf(child),
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
}

/** Whether no such process runs; one that only waits to be collected is gone. */
export function isGone(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** Pids of the live descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .flatMap((child) => [child, ...descendantsOf(child)]);
}
