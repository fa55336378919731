import type { WebSocket } from "ws";
import type { Connection } from "./connection.ts";
import type { Daemon } from "./daemon.ts";
import { execBody, type RunRequest, requireRunnable } from "./exec-request.ts";
import { notStarted, type RefusalCode, refused, stoppedMeanwhile, unreadable } from "./incus-failure.ts";
import type { Operations } from "./operations.ts";
import { hasStopped } from "./stopped.ts";
import { endedExecSchema, execSchema } from "./wire.ts";
import { requireDirectory } from "./working-directory.ts";

export interface ExecPorts {
  readonly connection: Connection;
  readonly daemon: Daemon;
  readonly operations: Operations;
}

/** A program that Incus starts as soon as all its streams are connected, which has to happen within 5 s. */
export interface ExecSession {
  /** Connects "control", or "0", "1", "2". */
  open(stream: string): WebSocket;
  /** The true exit code. Throws `instance-not-running` when the instance stopped meanwhile. */
  exitCode(signal?: AbortSignal): Promise<number>;
}

export interface ExecStart {
  readonly instance: string;
  readonly request: RunRequest;
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly signal: AbortSignal | undefined;
}

export async function startExec(ports: ExecPorts, start: ExecStart): Promise<ExecSession> {
  const { instance, request, terminal, signal } = start;
  requireRunnable(request);
  if (request.cwd !== undefined) {
    await requireDirectory(ports.connection, { instance, cwd: request.cwd, signal });
  }
  const body = execBody(request, terminal);
  const reply = await ports.daemon.ask({
    method: "POST",
    path: ["instances", instance, "exec"],
    body,
    signal,
  });
  if (reply.type === "refused") throw refused(reply.refusal, `run a program in ${instance}`);
  const { id, created_at, metadata } = parseExec(reply.metadata);
  return {
    open: (stream) =>
      ports.connection.openSocket(["operations", id, "websocket"], { secret: metadata.fds[stream] ?? "" }),
    exitCode: async (waitSignal) => {
      const code = await exitCodeOf(ports, id, waitSignal);
      // An instance takes its programs along when it ends: such a signal is not theirs.
      const isOwn =
        code <= 128 || !(await hasStopped(ports.daemon, { instance, since: created_at }, waitSignal));
      if (!isOwn) throw stoppedMeanwhile(instance);
      return code;
    },
  };
}

function parseExec(metadata: unknown) {
  const parsed = execSchema.safeParse(metadata);
  if (!parsed.success) throw unreadable("an exec operation", parsed.error);
  return parsed.data;
}

async function exitCodeOf({ operations }: ExecPorts, id: string, signal?: AbortSignal): Promise<number> {
  const ended = await operations.wait(id, signal);
  if (ended.type === "done") return codeIn(ended.metadata);
  if (ended.refusal.code === "command-too-long") throw notStarted();
  // 126 and 127 come as refusals, a program's own among them; the number is in the operation, for five seconds.
  const fallback = startFailures.get(ended.refusal.code);
  if (fallback === undefined) throw refused(ended.refusal, "run a program");
  const operation = await operations.look(id, signal);
  return operation === undefined ? fallback : codeIn(operation.metadata);
}

function codeIn(metadata: unknown): number {
  const parsed = endedExecSchema.safeParse(metadata);
  if (!parsed.success) throw unreadable("an exit code", parsed.error);
  // What the kernel did not take: Incus calls it a success.
  if (parsed.data.return < 0) throw notStarted();
  return parsed.data.return;
}

const startFailures = new Map<RefusalCode, number>([
  ["command-not-executable", 126],
  ["command-missing", 127],
]);
