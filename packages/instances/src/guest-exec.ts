import { cancelled, Failure, plainText, type Random, throwIfCancelled } from "@agent-control/base";
import type { ExecEnded } from "@agent-control/incus";
import { createLineReporter } from "./exec-lines.ts";
import { failureOfLoss } from "./exec-loss.ts";
import { createMarkedStream, noDirectoryCode, noDirectoryMark } from "./exec-mark.ts";
import { createStreamKept, showBoth } from "./exec-output.ts";
import { endUntilSettled, reasonToStop, type StopReason } from "./exec-stop.ts";
import { foregroundArgv } from "./exec-unit.ts";
import type { GuestExec, GuestExecEnded } from "./guest.ts";
import { encodeCommand, missingDirectory } from "./guest-command.ts";
import { endUnits } from "./guest-end.ts";
import type { RunPorts } from "./guest-run.ts";

export interface GuestPorts extends RunPorts {
  readonly random: Random;
}

/**
 * Runs a command line in a scope of its own, in one exec whose stdin carries command, environment and stdin. What
 * the command leaves running lives on, marked, unless the command is stopped.
 */
export async function execInGuest(
  ports: GuestPorts,
  instance: string,
  request: GuestExec,
): Promise<GuestExecEnded> {
  const input = Buffer.concat([encodeCommand(request), encodeStdin(request.stdin)]);
  throwIfCancelled(request.signal);
  const { clock } = ports;
  const startedAt = clock.monotonic();
  const running = startUnit(ports, instance, { ...request, input });
  const reason = await reasonToStop(clock, request, running.ended);
  if (reason) await running.stop(reason);
  const { exitCode } = await running.ended;
  if (reason === "cancelled") throw cancelled(request.signal?.reason);
  running.requireRan(exitCode);
  const [stdout, stderr] = running.output();
  const durationMs = Math.round(clock.monotonic() - startedAt);
  return { exitCode, durationMs, timedOut: reason === "timed-out", stdout, stderr };
}

const stdinLimit = 1024 * 1024;
const graceMs: Readonly<Record<StopReason, number>> = { cancelled: 200, "timed-out": 2000 };

function encodeStdin(stdin = ""): Uint8Array {
  const bytes = Buffer.from(stdin);
  if (bytes.length <= stdinLimit) return bytes;
  throw new Failure("refused", {
    code: "stdin-too-large",
    message: "The stdin is longer than 1 MiB",
    next: "Write it into a file in the instance and redirect that",
  });
}

function startUnit(ports: GuestPorts, instance: string, request: GuestExec & { readonly input: Uint8Array }) {
  const unit = `isx-exec-${Buffer.from(ports.random.bytes(8)).toString("hex")}`;
  const budget = Math.max(request.maxOutputBytes, 256);
  const stdout = createStreamKept(budget);
  const stderr = createStreamKept(budget);
  const reported = reporting(ports, request);
  const marked = createMarkedStream(unit, reported(stderr.push));
  const gaveUp = new AbortController();
  const ended: Promise<ExecEnded> = ports.incus
    .exec(instance, {
      command: foregroundArgv(unit),
      stdin: request.input,
      onStdout: reported(stdout.push),
      onStderr: marked.push,
      signal: gaveUp.signal,
    })
    .catch(async (error: unknown) => {
      const ran = marked.startFailure() === undefined;
      throw ran ? await failureOfLoss(ports, { instance, unit, error }) : error;
    });

  return {
    ended,
    output: () => showBoth(stdout, stderr, request.maxOutputBytes),
    async stop(reason: StopReason): Promise<void> {
      try {
        await endUntilSettled(ports.clock, ended, () =>
          endUnits(ports, instance, { units: [unit], graceMs: graceMs[reason] }),
        );
      } finally {
        gaveUp.abort();
      }
    },
    requireRan(exitCode: number): void {
      const failure = marked.startFailure();
      if (failure !== undefined) throw notStarted(instance, failure);
      if (exitCode !== noDirectoryCode || !stderr.show(256).text.endsWith(noDirectoryMark(unit))) return;
      throw missingDirectory(instance, request.cwd);
    },
  };
}

/** Lets the caller's onLine see what passes on to a stream. */
function reporting({ clock }: GuestPorts, { onLine }: GuestExec) {
  const open = onLine && createLineReporter(clock, onLine);
  return (push: (chunk: Uint8Array) => void): ((chunk: Uint8Array) => void) => {
    const report = open?.();
    if (!report) return push;
    return (chunk) => {
      push(chunk);
      report(chunk);
    };
  };
}

function notStarted(instance: string, text: string): Failure {
  const said = plainText(text).trim().replace(/\s+/g, " ").slice(0, 300);
  return new Failure("unavailable", {
    code: "command-not-started",
    message: `The command could not be started in ${instance}${said === "" ? "" : `: ${said}`}`,
    next: "Wait until the instance has booted and try again",
  });
}
