import { orCancelled } from "@agent-control/base";
import { requireRunnable } from "./exec-request.ts";
import type { Calls } from "./fake-calls.ts";
import type { FakeStore } from "./fake-store.ts";
import type { ExecEnded, ExecRequest, Incus } from "./incus.ts";
import { stoppedMeanwhile } from "./incus-failure.ts";
import { noDirectory } from "./working-directory.ts";

/** A program of the fake guest: what it does with its streams; resolves to its exit code. */
export type FakeProgram = (run: FakeRun) => number | Promise<number>;

export interface FakeRun {
  readonly instance: string;
  readonly request: ExecRequest;
  /** All of the input. */
  readonly stdin: Uint8Array;
  /** Resolves when the reader has taken it. */
  readonly stdout: (chunk: Uint8Array | string) => Promise<void>;
  readonly stderr: (chunk: Uint8Array | string) => Promise<void>;
  /** Fires when the program is killed: its caller is gone, or its instance stops. */
  readonly killed: AbortSignal;
}

export interface ExecPorts {
  readonly calls: Calls;
  readonly store: FakeStore;
  readonly program: FakeProgram;
}

/** Runs the given program in place of each command, as `Incus.exec` says. */
export function createFakeExec({ calls, store, program }: ExecPorts): Incus["exec"] {
  return async (instance, request) => {
    requireRunnable(request);
    const body = async (): Promise<ExecEnded> => {
      const running = store.requireRunning(instance);
      if (request.cwd !== undefined && !running.files.isDirectory(request.cwd)) {
        throw noDirectory(instance, request.cwd);
      }
      const stopping = running.stopping.signal;
      const run = await runOf(instance, request, stopping);
      const exitCode = await orCancelled(run.killed, Promise.resolve(program(run))).catch(
        (error: unknown) => {
          throw stopping.aborted ? stoppedMeanwhile(instance) : error;
        },
      );
      return { exitCode };
    };
    return calls.run("exec", `${instance} ${request.command[0]}`, { body, signal: request.signal });
  };
}

async function runOf(instance: string, request: ExecRequest, stopping: AbortSignal): Promise<FakeRun> {
  const { signal, onStdout = () => {}, onStderr = () => {} } = request;
  return {
    instance,
    request,
    stdin: await allOf(request.stdin),
    stdout: async (chunk) => onStdout(Buffer.from(chunk)),
    stderr: async (chunk) => onStderr(Buffer.from(chunk)),
    killed: signal ? AbortSignal.any([signal, stopping]) : stopping,
  };
}

async function allOf(source: ExecRequest["stdin"]): Promise<Uint8Array> {
  if (source === undefined || source instanceof Uint8Array) return source ?? new Uint8Array();
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
