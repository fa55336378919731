import { closeSync, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { ProcessIdentity, ProcessSeen, ProcessTable } from "@agent-control/base";
import { parseStat } from "./process-stat.ts";
import { errorCode, processTableUnavailable } from "./system-failure.ts";

/**
 * The processes of this machine from /proc. Throws Failure `process-table-unavailable` when /proc is missing, is
 * that of another PID namespace, or hides the process asked for. The `uid` of a process that forbids inspection is 0.
 */
export function createProcessTable(): ProcessTable {
  let own: ProcessIdentity | undefined;
  const self = () => {
    own ??= ownIdentity();
    return own;
  };
  const look = (pid: number) => lookAt(pid, self().bootId);
  return {
    bootId: () => self().bootId,
    self,
    look,
    pids: () => allPids().filter((pid) => isLiving(pid, self().bootId)),
    children: (pid) => liveChildren(pid, self().bootId),
    environment: (pid) => {
      const strings = stringsOf(pid, "environ", look);
      return strings && toEnvironment(strings);
    },
    argv: (pid) => stringsOf(pid, "cmdline", look),
  };
}

type Look = (pid: number) => ProcessSeen | undefined;

function ownIdentity(): ProcessIdentity {
  try {
    const { pid, start } = parseStat(readFileSync("/proc/self/stat", "utf8"));
    if (pid !== process.pid) throw processTableUnavailable("/proc belongs to another PID namespace");
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { pid, start, bootId };
  } catch (error) {
    throw errorCode(error) === undefined ? error : processTableUnavailable("/proc cannot be read", error);
  }
}

function lookAt(pid: number, bootId: string): ProcessSeen | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  try {
    return readProcess(pid, bootId);
  } catch (error) {
    if (isGone(error) && !isHidden(pid)) return undefined;
    if (errorCode(error) === undefined) throw error;
    throw processTableUnavailable(`process ${pid} is hidden from this user`, error);
  }
}

function readProcess(pid: number, bootId: string): ProcessSeen {
  const fd = openSync(`/proc/${pid}/stat`, "r");
  try {
    // One open file describes one process, even when the pid is given to another one meanwhile.
    const { uid } = fstatSync(fd);
    const { name, parent, start, zombie } = parseStat(readFileSync(fd, "utf8"));
    return { pid, start, bootId, parent, name, zombie, uid };
  } finally {
    closeSync(fd);
  }
}

function isGone(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ESRCH";
}

// With hidepid, /proc does not list the processes of others, but a signal tells them from none.
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

// A scan, because the kernel's own list (task/TID/children) may miss some while others end.
function liveChildren(pid: number, bootId: string): number[] {
  if (pid < 1) return [];
  return allPids().filter((candidate) => {
    const seen = unlessUnreadable(() => readProcess(candidate, bootId));
    return seen?.parent === pid && !seen.zombie;
  });
}

function isLiving(pid: number, bootId: string): boolean {
  return unlessUnreadable(() => readProcess(pid, bootId))?.zombie === false;
}

function allPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The NUL-terminated strings of /proc/PID/cmdline or environ; undefined when the process is gone or not ours to read. */
function stringsOf(pid: number, file: "cmdline" | "environ", look: Look): string[] | undefined {
  const before = look(pid);
  if (!before || before.zombie) return undefined;
  const text = unlessUnreadable(() => readFileSync(`/proc/${pid}/${file}`, "utf8"));
  const after = look(pid);
  if (text === undefined || after?.start !== before.start || after.zombie) return undefined;
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

function unlessUnreadable<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isGone(error) || errorCode(error) === "EACCES" || errorCode(error) === "EPERM") return undefined;
    throw error;
  }
}

function toEnvironment(strings: readonly string[]): Record<string, string> {
  // Of two equal names the first counts, as for getenv; fromEntries keeps the last.
  const pairs = strings.filter((text) => text.indexOf("=") > 0).reverse();
  return Object.fromEntries(pairs.map((pair) => splitAt(pair, pair.indexOf("="))));
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)];
}
