import type { Clock, Files, Locks, Processes, ProcessTable } from "@agent-control/base";
import type { HostTool } from "@agent-control/policy";
import { createTurns } from "./turns.ts";

/** Runs the commands that a person allowed on the host, and nothing else. */
export interface HostToolRunner {
  /**
   * Runs the tool's command to its end and returns what it did. Refuses while it runs elsewhere or its interval is
   * not over; with interval 0 it waits in line instead. A cancelled or timed-out command is killed with its whole
   * process group.
   */
  run(tool: HostTool, signal: AbortSignal): Promise<HostToolRun>;
}

export interface HostToolRun {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** The last 8 KiB of both streams together. */
  readonly output: string;
  readonly truncated: boolean;
}

export interface HostToolPorts {
  readonly processes: Processes;
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly processTable: ProcessTable;
  /** For the turns of all sessions of this user. */
  readonly directory: string;
  /** Where commands start. */
  readonly home: string;
}

export function createHostToolRunner(ports: HostToolPorts): HostToolRunner {
  const turns = createTurns(ports);
  return {
    run: (tool, signal) => turns.take(tool, signal, () => runCommand(ports, tool, signal)),
  };
}

const outputBytes = 8192;
// The longest time that a timer takes: 24 days.
const noLimitMs = 2_147_483_647;

async function runCommand(
  { processes, clock, home }: HostToolPorts,
  { command, timeout }: HostTool,
  signal: AbortSignal,
): Promise<HostToolRun> {
  const started = clock.monotonic();
  const { exitCode, signalName, timedOut, stdout, truncated } = await processes.run({
    file: "/bin/sh",
    // The outer shell only joins the two streams, so that their lines keep their order.
    args: ["-c", 'exec /bin/sh -c "$1" 2>&1', "sh", command],
    cwd: home,
    timeoutMs: timeout === 0 ? noLimitMs : timeout * 1000,
    maxOutputBytes: outputBytes,
    keep: "end",
    ownGroup: true,
    signal,
  });
  const durationMs = Math.round(clock.monotonic() - started);
  return { exitCode, signalName, timedOut, durationMs, output: stdout, truncated };
}
