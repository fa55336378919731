import type { ProcessIdentity } from "@agent-control/base";
import type { HarnessId } from "@agent-control/harness";
import { isLaunchId, type Launch, type LaunchState } from "./launch.ts";
import { createRecordReader, isObject, text, time } from "./record-reader.ts";

/** The file's bytes: JSON with the documented snake_case keys. */
export function renderLaunch(launch: Launch): string {
  const { process } = launch;
  return `${JSON.stringify(
    {
      schema: launch.schema,
      id: launch.id,
      profile: launch.profile,
      harness: launch.harness,
      argv: launch.argv,
      env: launch.env,
      cwd: launch.cwd,
      base_dir: launch.baseDirectory,
      config_file: launch.configFile,
      state_dir: launch.stateDirectory,
      runtime_dir: launch.runtimeDirectory,
      multiplexer: launch.multiplexer,
      session: launch.session,
      socket: launch.socket,
      pane_id: launch.paneId ?? null,
      server: launch.server ?? null,
      process: process ? { pid: process.pid, start: process.start, boot_id: process.bootId } : null,
      spawned_by: launch.spawnedBy ?? null,
      created_at: launch.createdAt,
      claimed_at: launch.claimedAt ?? null,
      replaced_by: launch.replacedBy ?? null,
      state: launch.state,
    },
    null,
    1,
  )}\n`;
}

/**
 * A launch from the file's bytes, or a word saying which field is wrong: a record edited by hand names nobody.
 * Plain checks instead of zod, since the pane's launcher loads this.
 */
export function parseLaunch(bytes: Uint8Array, expectedId: string): Launch | { readonly wrong: string } {
  const reader = createRecordReader(bytes);
  const id = launchIdOf(reader.value("id"));
  const isTmux = reader.value("multiplexer") === "tmux";
  const launch: Launch = {
    schema: reader.check("schema", reader.value("schema") === 1 ? 1 : undefined),
    id: reader.check("id", id === expectedId ? id : undefined),
    profile: reader.text("profile"),
    harness: reader.oneOf<HarnessId>("harness", ["claude", "codex", "pi", "opencode", "none"]),
    argv: reader.check("argv", argvOf(reader.value("argv"))),
    env: reader.check("env", environmentOf(reader.value("env"))),
    cwd: reader.path("cwd"),
    baseDirectory: reader.path("base_dir"),
    configFile: reader.path("config_file"),
    stateDirectory: reader.path("state_dir"),
    runtimeDirectory: reader.path("runtime_dir"),
    multiplexer: reader.oneOf("multiplexer", ["tmux", "zellij"]),
    session: reader.check("session", sessionOf(reader.value("session"), isTmux)),
    socket: reader.path("socket"),
    paneId: reader.optional("pane_id", (value) => idOf(value, isTmux && /^%\d{1,10}$/)),
    server: reader.optional("server", serverOf),
    process: reader.optional("process", processOf),
    spawnedBy: reader.optional("spawned_by", launchIdOf),
    createdAt: reader.time("created_at"),
    claimedAt: reader.optional("claimed_at", time),
    replacedBy: reader.optional("replaced_by", launchIdOf),
    state: reader.oneOf<LaunchState>("state", ["pending", "claimed", "exited", "replaced"]),
  };
  if (launch.state === "claimed") {
    reader.check("pane_id", launch.paneId);
    reader.check("server", launch.server);
    reader.check("process", launch.process);
  }
  const wrong = reader.wrong();
  return wrong === undefined ? launch : { wrong };
}

function launchIdOf(value: unknown): string | undefined {
  return typeof value === "string" && isLaunchId(value) ? value : undefined;
}

// The same as the configuration allows: env(1) takes a first word with "=" for a variable.
function argvOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const argv = value.map(text).filter((item) => item !== undefined);
  const [program = ""] = argv;
  return argv.length === value.length && program !== "" && !program.includes("=") ? argv : undefined;
}

function environmentOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const found = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? text(each) : undefined;
    return found === undefined ? [] : [[name, found] as const];
  });
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

function sessionOf(value: unknown, isTmux: boolean): Launch["session"] | undefined {
  if (!isObject(value)) return undefined;
  const [id, name] = [idOf(value["id"], isTmux && /^\$\d{1,10}$/), text(value["name"])];
  return id === undefined || name === undefined ? undefined : { id, name };
}

/** tmux's ids have one form, and they become part of its commands. */
function idOf(value: unknown, form: RegExp | false): string | undefined {
  const id = text(value);
  return id === undefined || (form && !form.test(id)) ? undefined : id;
}

function serverOf(value: unknown): Launch["server"] {
  if (!isObject(value)) return undefined;
  const { pid, start } = value;
  return isPid(pid) && typeof start === "string" ? { pid, start } : undefined;
}

function processOf(value: unknown): ProcessIdentity | undefined {
  if (!isObject(value)) return undefined;
  const { pid, start, boot_id: bootId } = value;
  return isPid(pid) && typeof start === "string" && typeof bootId === "string"
    ? { pid, start, bootId }
    : undefined;
}

function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 1;
}
