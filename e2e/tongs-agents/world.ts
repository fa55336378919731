import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ran, runProgram } from "../shared/run-program.ts";
import { createTestClient, type TestClient } from "../shared/test-client.ts";
import { until } from "../shared/until.ts";

export { type Ran, runProgram, until };

/** The built program. */
export const program =
  process.env["TONGS_AGENTS_PROGRAM"] ??
  fileURLToPath(new URL("../../packages/tongs-agents/dist/bin.js", import.meta.url));
const programs = fileURLToPath(new URL("programs/", import.meta.url));

/** A place of its own: private tmux server, private XDG directories, one config file. */
export interface World {
  readonly root: string;
  readonly socket: string;
  readonly env: Record<string, string>;
  readonly stateDirectory: string;
  readonly auditLog: string;
  /** Path of a scripted program of `programs/`. */
  script(name: string): string;
  writeConfig(toml: string): void;
  /** Runs the built CLI as a person outside any pane. */
  cli(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<Ran>;
  /** Starts a profile with `tongs-agents launch`; returns its launch id once it runs. */
  launch(profile: string): Promise<string>;
  /** The launch record as it is on disk. */
  record(launchId: string): LaunchFile;
  /** An MCP client of a new server below the `lead` profile's process (see `leadProfile`). */
  connect(): Promise<TestClient>;
  /** A config profile whose command is `programs/lead.mjs`, which `connect` talks to. */
  leadProfile(options?: string): string;
  /** A config profile whose command is `programs/worker.mjs`, writing what it reads to `workerFile(name)`. */
  workerProfile(name?: string, options?: string): string;
  workerFile(name?: string): string;
  /** What the worker read so far; empty when nothing. */
  workerBytes(name?: string): Buffer;
  /** Whether the worker has begun to read its terminal. */
  isReading(name?: string): boolean;
  tmux(...args: readonly string[]): string;
  auditLines(): Record<string, unknown>[];
  /** The status records as they are on disk: all, or those of one launch. */
  statusRecords(launchId?: string): Record<string, unknown>[];
  /** Ends the private tmux server and everything in it, and removes the files. */
  close(): Promise<void>;
}

/** The snake_case file `launches/<id>.json`. */
export interface LaunchFile {
  readonly id: string;
  readonly state: string;
  readonly pane_id: string | null;
  readonly process: { readonly pid: number; readonly start: string; readonly boot_id: string } | null;
  readonly server: { readonly pid: number; readonly start: string } | null;
  readonly [key: string]: unknown;
}

/** Makes a world; `name` may hold spaces and quotes to try hostile paths. */
export function createWorld(name = "world"): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ac-")));
  const home = join(root, name);
  const directories = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_RUNTIME_DIR: join(home, "runtime"),
    TMPDIR: join(home, "tmp"),
  };
  for (const directory of Object.values(directories)) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const socket = join(root, "tmux");
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    ...directories,
  };
  const stateDirectory = join(directories.XDG_STATE_HOME, "tongs-agents");
  const auditLog = join(stateDirectory, "audit", "control.jsonl");
  const leadSocket = join(root, "lead");
  const workerFile = (worker = "worker") => join(home, `${worker}.bytes`);
  const world: World = {
    root,
    socket,
    env,
    stateDirectory,
    auditLog,
    script: (file) => join(programs, file),
    writeConfig(toml) {
      const directory = join(directories.XDG_CONFIG_HOME, "tongs-agents");
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(
        join(directory, "config.toml"),
        toml.includes("[workspace]") ? toml : `${toml}\n[workspace]\nsocket = ${JSON.stringify(socket)}\n`,
      );
    },
    cli: (args, options = {}) =>
      runProgram([process.execPath, program, ...args], {
        env: { ...env, ...options.env },
        input: options.input ?? "",
      }),
    async launch(profile) {
      const ran = await world.cli(["launch", profile, "--json"]);
      if (ran.code !== 0)
        throw new Error(`launch ${profile} exited with ${ran.code}: ${ran.stdout}${ran.stderr}`);
      return (JSON.parse(ran.stdout) as { launch_id: string }).launch_id;
    },
    record: (launchId) =>
      JSON.parse(readFileSync(join(stateDirectory, "launches", `${launchId}.json`), "utf8")) as LaunchFile,
    async connect() {
      await until(() => existsSync(leadSocket), 10_000, "the lead's socket");
      const connection = connect(leadSocket);
      return createTestClient({ input: connection, output: connection, close: () => connection.end() });
    },
    leadProfile: (options = "mcp_control = true") =>
      profileToml(
        "lead",
        [process.execPath, join(programs, "lead.mjs"), leadSocket, process.execPath, program, "mcp"],
        options,
      ),
    workerProfile: (worker = "worker", options = "mcp_control = true") =>
      profileToml(worker, [process.execPath, join(programs, "worker.mjs"), workerFile(worker)], options),
    workerFile,
    workerBytes: (worker) =>
      existsSync(workerFile(worker)) ? readFileSync(workerFile(worker)) : Buffer.alloc(0),
    isReading: (worker) => existsSync(`${workerFile(worker)}.ready`),
    tmux: (...args) => execFileSync("tmux", ["-S", socket, ...args], { env, encoding: "utf8" }),
    auditLines: () =>
      existsSync(auditLog)
        ? readFileSync(auditLog, "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        : [],
    statusRecords: (launchId) =>
      jsonFiles(join(stateDirectory, "fleet")).filter(
        (record) => launchId === undefined || record["launch_id"] === launchId,
      ),
    async close() {
      if (existsSync(socket)) await runProgram(["tmux", "-S", socket, "kill-server"], { env, input: "" });
      openDirectories(root);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return world;
}

function jsonFiles(directory: string): Record<string, unknown>[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return names.map(
    (name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as Record<string, unknown>,
  );
}

function profileToml(name: string, command: readonly string[], options: string): string {
  return `[profiles.${name}]\ncommand = ${JSON.stringify(command)}\n${options}\n`;
}

/** Tests may have taken permissions away. */
function openDirectories(root: string): void {
  chmodSync(root, 0o700);
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isDirectory()) openDirectories(join(root, entry.name));
  }
}

/** An MCP client of a server started here, outside any launched pane. */
export function connectOutside(
  env: Record<string, string>,
  argv: readonly string[] = [process.execPath, program, "mcp"],
): TestClient {
  const [file = "", ...args] = argv;
  const child = spawn(file, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {}); // The server may be gone first.
  return createTestClient({ input: child.stdout, output: child.stdin, close: () => child.stdin.end() });
}
