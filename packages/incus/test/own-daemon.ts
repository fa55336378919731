import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const program = join(import.meta.dirname, "..", "..", "..", "tools", "incus-host", "incus-host.mjs");

/** An Incus that a test may kill, beside the shared one. */
export interface OwnDaemon {
  readonly socketPath: string;
  /** Kills the daemon as a crash does; its instances run on. */
  kill(): void;
  /** Starts it again. */
  start(): Promise<void>;
  down(): void;
}

export function startOwnDaemon(): OwnDaemon {
  const directory = mkdtempSync("/var/tmp/isx-own-");
  const socketPath = execFileSync(process.execPath, [program, "up", "--dir", directory], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
  return {
    socketPath,
    kill: () => process.kill(daemonOf(join(directory, "incusd.log")), "SIGKILL"),
    async start() {
      await promisify(execFile)(process.execPath, [program, "up", "--dir", directory]);
    },
    down() {
      execFileSync(process.execPath, [program, "down", "--dir", directory], { stdio: "ignore" });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The one daemon that writes to this log; a child that it has just forked looks the same, so the parent counts. */
function daemonOf(log: string): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && argvOf(name).includes(log));
  const daemons = pids.filter((pid) => !pids.includes(parentOf(pid)));
  if (daemons.length !== 1) throw new Error(`${daemons.length} daemons write to ${log}`);
  return Number(daemons[0]);
}

function argvOf(pid: string): readonly string[] {
  return readOf(pid, "cmdline").split("\0");
}

function parentOf(pid: string): string {
  return /^PPid:\s+(\d+)$/m.exec(readOf(pid, "status"))?.[1] ?? "";
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}
