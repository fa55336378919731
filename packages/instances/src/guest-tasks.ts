import { Failure, plainText } from "@agent-control/base";
import { withoutCutEnd } from "./exec-output.ts";
import { commandScript } from "./exec-scripts.ts";
import type { TaskPiece, TaskStart, TaskText } from "./guest.ts";
import { encodeCommand, missingDirectory } from "./guest-command.ts";
import { processesRemain } from "./guest-end.ts";
import { type GuestProgram, type ProgramEnded, type RunPorts, runInGuest } from "./guest-run.ts";
import type { TimeLimit } from "./guest-within.ts";
import { requireTaskId } from "./task-id.ts";
import { cancelScript, clearScript, launchArguments, launchScript, readScript } from "./task-scripts.ts";

/** Makes the record and starts the unit in one exec; a task that could not be started leaves nothing. */
export async function startTask(
  ports: RunPorts,
  instance: string,
  { signal, ...task }: TaskStart & { readonly signal: AbortSignal | undefined },
): Promise<void> {
  requireTaskId(task.id);
  const stdin = encodeCommand(task);
  const args = [task.id, ...launchArguments(task.id, commandScript)];
  const ended = await answered(ports, instance, { script: launchScript, args, stdin, timeoutMs, signal });
  if (ended.exitCode === noDirectoryCode) throw missingDirectory(instance, task.cwd);
  if (ended.exitCode === 0) return;
  throw new Failure("unavailable", {
    code: "task-not-started",
    message: `The task could not be started in ${instance}${said(ended.stderr)}`,
    next: "See that the instance has booted and has free disk space, then try again",
  });
}

/** A piece of a stream; a file that is missing or replaced by something else reads as empty. */
export async function readTask(
  ports: RunPorts,
  instance: string,
  { id, stream, offset, limit, signal }: TaskPiece & { readonly id: string },
): Promise<TaskText> {
  requireTaskId(id);
  const args = [id, stream, offset === undefined ? "-" : String(offset), String(limit)];
  const outputLimit = limit + 64;
  const program = { script: readScript, args, asAgentuser: true, outputLimit, timeoutMs, signal };
  const { stdout } = await answered(ports, instance, program);
  const end = stdout.indexOf("\n");
  const [totalBytes = 0, start = 0] = stdout.subarray(0, end).toString("latin1").split(" ").map(Number);
  const piece = stdout.subarray(end + 1);
  const isLast = start + piece.length >= totalBytes;
  const shown = isLast ? piece : withoutCutEnd(piece);
  const text = plainText(Buffer.from(shown).toString("utf8"));
  return { text, offset: start, nextOffset: start + shown.length, totalBytes };
}

/** Ends tasks side by side in one exec and sees to it that each has an exit record. */
export async function cancelTasks(
  ports: RunPorts,
  instance: string,
  { ids, signal }: { readonly ids: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<void> {
  if (ids.length === 0) return;
  ids.forEach(requireTaskId);
  const args = [String(graceMs / 50), ...ids];
  const limit = { timeoutMs: graceMs + timeoutMs, signal };
  const ended = await answered(ports, instance, { script: cancelScript, args, ...limit });
  if (ended.exitCode !== 0) throw processesRemain(instance);
}

/** Removes every task record of an instance. */
export async function clearTasks(
  ports: RunPorts,
  instance: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ended = await answered(ports, instance, { script: clearScript, timeoutMs, signal });
  if (ended.exitCode === 0) return;
  throw new Failure("error", {
    code: "tasks-not-cleared",
    message: `The task records in ${instance} could not be removed${said(ended.stderr)}`,
    next: "Remove ~/.isx-mcp/tasks in the instance",
  });
}

const timeoutMs = 20_000;
const graceMs = 2000;
const noDirectoryCode = 3;

async function answered(
  ports: RunPorts,
  instance: string,
  program: GuestProgram & TimeLimit,
): Promise<ProgramEnded> {
  const ended = await runInGuest(ports, instance, program);
  if (ended) return ended;
  throw new Failure("unavailable", {
    code: "guest-silent",
    message: `${instance} did not answer within ${program.timeoutMs / 1000} s`,
    next: "Try again, or stop the instance with stop_instance and force",
  });
}

function said(stderr: string): string {
  const text = stderr.replace(/\s+/g, " ").slice(0, 300);
  return text === "" ? "" : `: ${text}`;
}
