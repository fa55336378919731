import { statSync } from "node:fs";
import {
  type Command,
  type Finished,
  type Processes,
  type TerminalCommand,
  throwIfCancelled,
} from "@agent-control/base";
import type { Options } from "execa";
import { boundedText } from "./bounded-text.ts";
import { kindOf, requireKind } from "./file-kind.ts";
import {
  asFileFailure,
  asProgramFailure,
  asSignalFailure,
  errorCode,
  programArguments,
} from "./system-failure.ts";

/**
 * Child processes through execa, loaded at the first run. `run` gives a child no terminal and none of our streams; at its
 * time-out, at cancellation and when this process exits it is killed with SIGKILL. Programs it left behind that
 * still hold its output are waited for until the time-out only. A process group of its own outlives this process
 * when that is killed.
 */
export function createProcesses(): Processes {
  return { run, runOnTerminal, signal };
}

async function run(command: Command): Promise<Finished> {
  throwIfCancelled(command.signal);
  refuseNul(command);
  const { execa } = await import("execa");
  throwIfCancelled(command.signal);
  const child = execa(command.file, command.args, optionsOf(command));
  const stdout = boundedText(child.stdout, command.maxOutputBytes, command.keep);
  const stderr = boundedText(child.stderr, command.maxOutputBytes, command.keep);
  const kill = () => {
    const wasRunning = command.ownGroup ? killGroup(child.pid) : child.kill("SIGKILL");
    stdout.stop();
    stderr.stop();
    return wasRunning;
  };
  const { result, timedOut } = await untilLimit(child, command, kill);
  requireStarted(result, command);
  return {
    exitCode: result.exitCode,
    signalName: result.signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut,
    truncated: stdout.truncated() || stderr.truncated(),
  };
}

async function runOnTerminal(command: TerminalCommand) {
  throwIfCancelled(command.signal);
  refuseNul(command);
  const { execa } = await import("execa");
  throwIfCancelled(command.signal);
  const child = execa(command.file, command.args, { ...placeOf(command), reject: false, stdio: "inherit" });
  const stop = () => void child.kill("SIGTERM");
  command.signal?.addEventListener("abort", stop, { once: true });
  const result: Ending = await child;
  command.signal?.removeEventListener("abort", stop);
  throwIfCancelled(command.signal);
  requireStarted(result, command);
  return { exitCode: result.exitCode, signalName: result.signal };
}

/** What execa says of an ended child, as far as we use it. */
interface Ending {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly cause?: unknown;
}

async function untilLimit(child: PromiseLike<Ending>, command: Command, kill: () => boolean) {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = kill();
  }, command.timeoutMs);
  command.signal?.addEventListener("abort", kill, { once: true });
  const result = await child;
  clearTimeout(timer);
  command.signal?.removeEventListener("abort", kill);
  throwIfCancelled(command.signal);
  return { result, timedOut };
}

function refuseNul({ file, args, env = {} }: TerminalCommand): void {
  const nul = [file, ...args, ...Object.entries(env).flat()].find((text) => text.includes("\0"));
  if (nul !== undefined) throw programArguments(file, "an argument holds a NUL character");
}

function optionsOf(command: Command) {
  return {
    ...placeOf(command),
    reject: false,
    buffer: false,
    encoding: "buffer",
    ...(command.ownGroup ? { detached: true, cleanup: false } : {}),
    ...(command.input === undefined ? { stdin: "ignore" } : { input: command.input }),
  } as const satisfies Options;
}

/** False when nothing of the group was left. */
function killGroup(leader: number | undefined): boolean {
  if (leader === undefined) return false;
  try {
    return process.kill(-leader, "SIGKILL");
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw asSignalFailure(error, leader);
  }
}

function placeOf({ env, cwd }: TerminalCommand) {
  return {
    extendEnv: env === undefined,
    ...(env === undefined ? {} : { env }),
    cwd: cwd ?? currentDirectory(),
  } satisfies Options;
}

/** The root when the current directory was removed below this process: what it runs need not stand there. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

function requireStarted(result: Ending, { file, cwd }: TerminalCommand): void {
  if (result.exitCode !== undefined || result.signal !== undefined) return;
  if (cwd !== undefined) requireDirectory(cwd);
  throw asProgramFailure(result.cause, file);
}

// spawn reports a missing working directory as a missing program.
function requireDirectory(cwd: string): void {
  try {
    requireKind("directory", kindOf(statSync(cwd)), cwd);
  } catch (error) {
    throw asFileFailure(error, cwd);
  }
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP"): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) throw new Error(`${pid} is not the pid of one process`);
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw asSignalFailure(error, pid);
  }
}
