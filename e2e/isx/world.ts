import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { it } from "vitest";
import { type Ran, runProgram } from "../shared/run-program.ts";
import { type SdkClient, sdkClients } from "../shared/sdk-clients.ts";
import { type Server, startServer } from "../shared/server.ts";
import { createIncusRest, type IncusRest } from "./incus-rest.ts";
import { programOf } from "./other-user.ts";

/** The built program. */
export const program =
  process.env["ISX_PROGRAM"] ?? fileURLToPath(new URL("../../packages/isx/dist/bin.js", import.meta.url));

/** argv of the program's MCP server. */
export const serverArgv: readonly [string, ...string[]] = [process.execPath, program, "mcp"];

const incusSocket = process.env["INCUS_SOCKET"];

/** Like `it`, for tests that need Incus: without INCUS_SOCKET they are skipped, except in CI, where they fail. */
export const incusIt = usesIncus() ? it : it.skip;
if (!usesIncus()) {
  console.log("Tests that need Incus are skipped: INCUS_SOCKET names none (see tools/incus-host/README.md)");
}

/** Whether tests that need Incus run; hooks ask before they make a world for them. */
export function usesIncus(): boolean {
  return Boolean(process.env["INCUS_SOCKET"]) || process.env["CI"] === "true";
}

/** Private directories only: enough for whatever needs no Incus. */
export interface Place {
  readonly root: string;
  readonly env: Record<string, string>;
  /** Where mcp.yaml, config.yaml and images/ are. */
  readonly configDirectory: string;
  readonly stateDirectory: string;
  readonly mcpFile: string;
  writeMcp(yaml: string | Uint8Array): void;
  writeConfig(yaml: string): void;
  /** A template of the person's own: `images/<name>.yaml`. */
  writeTemplate(name: string, yaml: string): void;
  /** Runs the built CLI as the person. */
  cli(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string>; readonly cwd?: string },
  ): Promise<Ran>;
  /** A server with a raw client: it sees exactly what is written. Not yet initialised. */
  serve(env?: Record<string, string>, cwd?: string): Server;
  /** A server with an official client that has connected and listed; the newest client unless named. */
  connect(env?: Record<string, string>, client?: string): Promise<SdkClient>;
  auditLines(): Record<string, unknown>[];
  /** Ends what was started here and removes the files. */
  close(): Promise<void>;
}

/** A place whose program works in an Incus project of its own. */
export interface World extends Place {
  readonly project: string;
  readonly incus: IncusRest;
  /**
   * Builds a template with the program; throws what it says when it fails. Incus holds on to the files of a template
   * for ten seconds after its build, and `close` waits for that: let the tests of a file share a world.
   */
  build(name: string): Promise<void>;
}

/**
 * Makes a place where no Incus is reachable unless `env` names one. With `uid` everything in it belongs to that user,
 * who also runs the program; needs root.
 */
export function createPlace(env: Record<string, string> = {}, uid?: number): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "isx-")));
  const home = join(root, "home");
  const directories = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_RUNTIME_DIR: join(home, "runtime"),
    TMPDIR: join(home, "tmp"),
  };
  const configDirectory = join(directories.XDG_CONFIG_HOME, "incus-spawn");
  const images = join(configDirectory, "images");
  for (const directory of [...Object.values(directories), images]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }
  const own = {
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    INCUS_SOCKET: join(root, "no-incus"),
    ...directories,
    ...env,
  };
  const stateDirectory = join(directories.XDG_STATE_HOME, "incus-spawn");
  const auditLog = join(stateDirectory, "mcp.log");
  const mcpFile = join(configDirectory, "mcp.yaml");
  const open: (() => Promise<unknown>)[] = [];
  const argv = uid === undefined ? ([process.execPath, program] as const) : programOf(uid, root);
  const write = (path: string, content: string | Uint8Array) => {
    writeFileSync(path, content);
    if (uid !== undefined) chownSync(path, uid, uid);
  };
  return {
    root,
    env: own,
    configDirectory,
    stateDirectory,
    mcpFile,
    writeMcp: (yaml) => write(mcpFile, yaml),
    writeConfig: (yaml) => write(join(configDirectory, "config.yaml"), yaml),
    writeTemplate: (name, yaml) => write(join(images, `${name}.yaml`), yaml),
    cli: (args, { input = "", env: more, cwd } = {}) =>
      runProgram([...argv, ...args], {
        env: { ...own, ...more },
        input,
        ...(cwd ? { cwd } : {}),
      }),
    serve(more, cwd) {
      const options = { argv: [...argv, "mcp"] as const, ...(cwd ? { cwd } : {}) };
      const server = startServer({ ...own, ...more }, options);
      open.push(async () => {
        server.close();
        await server.exited;
      });
      return server;
    },
    async connect(more, name = "SDK 2 choosing the revision") {
      const connect = sdkClients.find(([title]) => title === name)?.[1];
      if (connect === undefined) throw new Error(`There is no client "${name}"`);
      const client = await connect({ argv: [...argv, "mcp"], env: { ...own, ...more } });
      open.push(() => client.close());
      return client;
    },
    auditLines: () => (existsSync(auditLog) ? jsonLines(auditLog) : []),
    async close() {
      await Promise.all(open.map((end) => end()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface WorldOptions {
  /** Default: the Incus that INCUS_SOCKET names. */
  readonly socket?: string;
  /** The user who runs the program; default: this one. */
  readonly uid?: number;
}

export async function createWorld({ socket = incusSocket, uid }: WorldOptions = {}): Promise<World> {
  if (!socket) {
    throw new Error("INCUS_SOCKET names no Incus; next: node tools/incus-host/incus-host.mjs up");
  }
  const project = `e2e-${randomBytes(4).toString("hex")}`;
  const incus = createIncusRest(socket, project);
  await incus.send("POST", "/1.0/projects", { name: project, config: sharesAllButInstances });
  const place = createPlace({ INCUS_SOCKET: socket, INCUS_PROJECT: project }, uid);
  return {
    ...place,
    project,
    incus,
    async build(name) {
      const ran = await place.cli(["build", name]);
      if (ran.code !== 0)
        throw new Error(`build ${name} exited with ${ran.code}: ${ran.stdout}${ran.stderr}`);
    },
    async close() {
      await place.close();
      await removeProject(incus, project);
    },
  };
}

/** Not by `force`: as the project shares its profiles, that would empty the default profile of everybody. */
async function removeProject(incus: IncusRest, project: string): Promise<void> {
  for (const { name, status } of await incus.instances()) {
    const path = `/1.0/instances/${name}`;
    if (status !== "Stopped") await incus.send("PUT", `${path}/state`, { action: "stop", force: true });
    await incus.send("DELETE", path);
  }
  await incus.send("DELETE", `/1.0/projects/${project}`);
}

const sharesAllButInstances = {
  "features.images": "false",
  "features.profiles": "false",
  "features.networks": "false",
  "features.storage.volumes": "false",
};

function jsonLines(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
