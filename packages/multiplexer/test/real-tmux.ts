import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createFiles, createProcesses, createRandom } from "@agent-control/system";
import {
  type Attachment,
  createTmux,
  type Multiplexer,
  type PaneRef,
  type SessionRef,
  type Target,
} from "../src/index.ts";
import type { TmuxPorts } from "../src/tmux.ts";
import type { Bench } from "./multiplexer-contract.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

/** A private tmux server (started by its first session) and what it runs, in a directory of its own. */
export interface TmuxBench extends Bench {
  readonly directory: string;
  /** Runs the tmux client directly; gives what it printed. */
  tmux(...args: string[]): Promise<string>;
  aim(pane: PaneRef): Promise<Target>;
  /** The same multiplexer, with a listener to the arguments of every tmux client it runs. */
  recording(listener: (args: readonly string[]) => void): Promise<Multiplexer>;
}

export interface TmuxBenchOptions {
  /** Lines of the person's tmux.conf. */
  readonly config?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly socketName?: string;
}

export const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

export async function startTmuxBench(options: TmuxBenchOptions = {}): Promise<TmuxBench> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "multiplexer-")));
  const socket = join(directory, options.socketName ?? "socket");
  writeFileSync(join(directory, ".tmux.conf"), `${(options.config ?? []).join("\n")}\n`);
  const env = { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, ...options.env };
  const multiplexer = await createTmux(realPorts(env));
  const tmux = async (...args: string[]) => {
    const { TMUX: _, ...plain } = process.env;
    return (await run("tmux", ["-u", "-S", socket, ...args], { env: plain })).stdout;
  };
  return {
    directory,
    socket,
    multiplexer,
    impatient: await createTmux({ ...realPorts(env), timeoutMs: 400 }),
    idle: ["sleep", "1000"],
    reader: [process.execPath, fixture("reads-raw.mjs"), directory],
    tmux,
    aim: (pane) => aim(multiplexer, pane),
    recording: (listener) => createTmux(listened(realPorts(env), listener)),
    ...handsOn({ tmux, multiplexer, directory, socket }),
  };
}

export function realPorts(env: TmuxPorts["env"]): TmuxPorts {
  const random = createRandom();
  const uid = process.getuid?.() ?? 0;
  return { processes: createProcesses(), files: createFiles({ random }), random, uid, env };
}

function listened(ports: TmuxPorts, listener: (args: readonly string[]) => void): TmuxPorts {
  const { processes } = ports;
  const run: typeof processes.run = (command) => {
    listener(command.args);
    return processes.run(command);
  };
  return { ...ports, processes: { ...processes, run } };
}

type Hands = Pick<TmuxBench, "tmux" | "multiplexer" | "directory" | "socket">;

function handsOn({ tmux, multiplexer, directory, socket }: Hands) {
  const seen = async (pane: PaneRef) =>
    (await multiplexer.panes(pane.session))?.find(({ paneId }) => paneId === pane.paneId);
  const serverPid = async () => (await multiplexer.server(socket))?.pid;
  const file = async (pane: PaneRef) => join(directory, `${await serverPid()}${pane.paneId}`);
  let stopped: number | undefined;
  const killServer = async () => {
    const pid = await serverPid();
    if (pid === undefined) return;
    process.kill(pid, "SIGKILL");
    await until("the server to end", async () => (await serverPid().catch(() => "dying")) === undefined);
  };
  const setSilent = async (silent: boolean) => {
    stopped = silent ? await serverPid() : stopped;
    if (stopped !== undefined) process.kill(stopped, silent ? "SIGSTOP" : "SIGCONT");
    if (!silent) stopped = undefined;
  };
  return {
    ready: async (pane: PaneRef) => {
      const path = await file(pane);
      await until(`the reader in ${pane.paneId}`, () => existsSync(path));
      // The reader wrote its request before it made the file; tmux has read it when "ready" is on the screen.
      await until("its first line", async () =>
        (await multiplexer.screen(pane))?.lines.join().includes("ready"),
      );
    },
    received: async (pane: PaneRef) => readFileSync(await file(pane), "utf8"),
    focused: async (session: SessionRef) =>
      (await tmux("list-panes", "-t", `${session.id}:`, "-F", "#{pane_id} #{pane_active}"))
        .split("\n")
        .find((line) => line.endsWith(" 1"))
        ?.split(" ")[0],
    attach: async (attachment: Attachment) => onTerminal(attachment),
    watchers: async (session: SessionRef) =>
      (await tmux("list-clients", "-t", `${session.id}:`)).split("\n").filter((line) => line !== "").length,
    end: async (pane: PaneRef) => {
      process.kill((await seen(pane))?.pid ?? Number.NaN, "SIGTERM");
    },
    disturb: async (pane: PaneRef, how: "in-mode" | "input-off" | "synchronized", on: boolean) => {
      const acts = {
        "in-mode": on ? ["copy-mode", "-t", pane.paneId] : ["copy-mode", "-q", "-t", pane.paneId],
        "input-off": ["select-pane", on ? "-d" : "-e", "-t", pane.paneId],
        synchronized: ["set-option", "-w", "-t", pane.paneId, "synchronize-panes", on ? "on" : "off"],
      };
      await tmux(...acts[how]);
    },
    killServer,
    setSilent,
    stop: async () => {
      await setSilent(false);
      await killServer();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs it on a pseudo-terminal, which goes when the server does. */
function onTerminal({ argv, env }: Attachment): void {
  const line = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const options = { env: { ...env, TERM: "xterm", SHELL: "/bin/sh" }, stdio: "ignore" } as const;
  spawn("script", ["-qec", `stty rows 24 cols 80; exec ${line}`, "/dev/null"], options);
}

async function aim(multiplexer: Multiplexer, pane: PaneRef): Promise<Target> {
  const server = await multiplexer.server(pane.session.socket);
  const seen = (await multiplexer.panes(pane.session))?.find(({ paneId }) => paneId === pane.paneId);
  return { pane, serverPid: server?.pid ?? 0, panePid: seen?.pid };
}
