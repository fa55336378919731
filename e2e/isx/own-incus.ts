import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isGone } from "../shared/server.ts";
import { until } from "../shared/until.ts";

const program = fileURLToPath(new URL("../../tools/incus-host/incus-host.mjs", import.meta.url));

/** Whether a test may set an Incus of its own up here. */
export const mayHaveOwnIncus = process.getuid?.() === 0 && Boolean(process.env["INCUS_SOCKET"]);

/** An Incus that a test may stop, kill and restart, because nobody else uses it. Every user may connect. */
export interface OwnIncus {
  readonly socket: string;
  /** Ends the daemon in good order; instances run on. */
  stop(): Promise<void>;
  /** Kills the daemon; instances run on. */
  kill(): Promise<void>;
  /** Starts it again when it does not run; resolves when it answers. */
  start(): void;
  /** Removes it with everything in it. */
  remove(): void;
}

export function createOwnIncus(): OwnIncus {
  const directory = mkdtempSync("/var/tmp/ac-own-"); // Short: it begins a socket's path.
  const host = (verb: string) =>
    execFileSync(process.execPath, [program, verb, "--dir", directory], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  const end = async (signal: NodeJS.Signals) => {
    const pid = daemonIn(directory);
    process.kill(pid, signal);
    await until(() => isGone(pid), 30_000, "the end of the daemon");
  };
  const start = () => {
    const socket = host("up").trim();
    chmodSync(socket, 0o666);
    return socket;
  };
  return {
    socket: start(),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    start: () => void start(),
    remove() {
      host("down");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function daemonIn(directory: string): number {
  const processes = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  return Number.parseInt(processes.find((line) => line.includes(`--logfile ${directory}/`)) ?? "", 10);
}
