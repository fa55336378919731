import { throwIfCancelled } from "./failure.ts";
import { programMissing } from "./port-failures.ts";
import type { Clock, Command, Finished, Processes, TerminalCommand } from "./ports.ts";

/**
 * What a scripted program does: its result (exit code 0 and no output when left out), `"missing"` when it cannot
 * be started, `"hangs"` when only the time-out or the signal ends it, undefined when the script does not know it.
 */
export type Script = (
  command: Command | TerminalCommand,
) => Partial<Finished> | "missing" | "hangs" | undefined;

export interface ScriptedProcesses extends Processes {
  /** Every command in the order it was run. */
  readonly commands: readonly (Command | TerminalCommand)[];
  /** Every signal in the order it was sent. */
  readonly signals: readonly { readonly pid: number; readonly name: string }[];
  /** Makes `signal` know the pid; a pid that never ran is an error of the test. */
  setRunning(pid: number, running: boolean): void;
}

/** Programs played from a script on the given clock; throws an Error for a command it does not know. */
export function scriptedProcesses(clock: Clock, script: Script): ScriptedProcesses {
  const commands: (Command | TerminalCommand)[] = [];
  const signals: { pid: number; name: string }[] = [];
  const running = new Map<number, boolean>();
  return {
    commands,
    signals,
    setRunning: (pid, isRunning) => {
      running.set(pid, isRunning);
    },
    async run(command) {
      throwIfCancelled(command.signal);
      commands.push(command);
      return play(clock, command, script(command));
    },
    async runOnTerminal(command) {
      throwIfCancelled(command.signal);
      commands.push(command);
      const limits = { timeoutMs: Number.POSITIVE_INFINITY, maxOutputBytes: 0 };
      const { exitCode, signalName } = await play(clock, { ...command, ...limits }, script(command));
      return { exitCode, signalName };
    },
    signal(pid, name) {
      const isRunning = running.get(pid);
      if (isRunning === undefined) throw new Error(`scriptedProcesses: pid ${pid} is not modelled`);
      signals.push({ pid, name });
      return isRunning;
    },
  };
}

async function play(clock: Clock, command: Command, act: ReturnType<Script>): Promise<Finished> {
  if (act === undefined) {
    throw new Error(`scriptedProcesses: no script for ${[command.file, ...command.args].join(" ")}`);
  }
  if (act === "missing") throw programMissing(command.file);
  if (act === "hangs") {
    await clock.sleep(command.timeoutMs, command.signal);
    return finished(command, { exitCode: undefined, signalName: "SIGKILL", timedOut: true });
  }
  return finished(command, act);
}

function finished(command: Command, result: Partial<Finished>): Finished {
  const stdout = cut(result.stdout ?? "", command);
  const stderr = cut(result.stderr ?? "", command);
  return {
    exitCode: "exitCode" in result ? result.exitCode : 0,
    signalName: result.signalName,
    stdout: stdout.text,
    stderr: stderr.text,
    timedOut: result.timedOut ?? false,
    truncated: result.truncated ?? (stdout.truncated || stderr.truncated),
  };
}

function cut(
  text: string,
  { maxOutputBytes: maxBytes, keep }: Command,
): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  const kept = keep === "end" ? bytes.subarray(-maxBytes) : bytes.subarray(0, maxBytes);
  return { text: kept.toString(), truncated: true };
}
