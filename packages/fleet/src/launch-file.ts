import type { ProcessIdentity } from "@agent-control/base";
import type { HarnessId } from "@agent-control/harness";
import { isLaunchId, type Launch, type LaunchState } from "./launch.ts";

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
  const reader = createReader(bytes);
  const launch: Launch = {
    schema: reader.check("schema", reader.value("schema") === 1 ? 1 : undefined),
    id: reader.check(
      "id",
      reader.value("id") === expectedId && isLaunchId(expectedId) ? expectedId : undefined,
    ),
    profile: reader.text("profile"),
    harness: reader.oneOf<HarnessId>("harness", ["claude", "codex", "pi", "opencode", "none"]),
    argv: reader.check("argv", textList(reader.value("argv"))),
    env: reader.check("env", textMap(reader.value("env"))),
    cwd: reader.path("cwd"),
    baseDirectory: reader.path("base_dir"),
    configFile: reader.path("config_file"),
    stateDirectory: reader.path("state_dir"),
    runtimeDirectory: reader.path("runtime_dir"),
    multiplexer: reader.oneOf("multiplexer", ["tmux", "zellij"]),
    session: reader.check("session", session(reader.value("session"))),
    socket: reader.path("socket"),
    paneId: reader.optional("pane_id", (value) => (typeof value === "string" ? value : undefined)),
    server: reader.optional("server", server),
    process: reader.optional("process", processIdentity),
    spawnedBy: reader.optional("spawned_by", (value) =>
      typeof value === "string" && isLaunchId(value) ? value : undefined,
    ),
    createdAt: reader.text("created_at"),
    claimedAt: reader.optional("claimed_at", (value) => (typeof value === "string" ? value : undefined)),
    replacedBy: reader.optional("replaced_by", (value) =>
      typeof value === "string" && isLaunchId(value) ? value : undefined,
    ),
    state: reader.oneOf<LaunchState>("state", ["pending", "claimed", "exited", "replaced"]),
  };
  return reader.wrong() === undefined ? launch : { wrong: reader.wrong() ?? "" };
}

type Fields = Readonly<Record<string, unknown>>;

function createReader(bytes: Uint8Array) {
  const fields = parseObject(bytes);
  let wrong: string | undefined = fields === undefined ? "it is not a JSON object" : undefined;
  const value = (key: string): unknown => fields?.[key];
  const check = <T>(key: string, found: T | undefined): T => {
    if (found === undefined) wrong ??= `its ${key} is wrong`;
    return found as T;
  };
  return {
    value,
    check,
    wrong: () => wrong,
    text: (key: string): string =>
      check(key, typeof value(key) === "string" ? (value(key) as string) : undefined),
    path: (key: string): string => {
      const found = value(key);
      return check(
        key,
        typeof found === "string" && found.startsWith("/") && !found.includes("\0") ? found : undefined,
      );
    },
    oneOf: <T extends string>(key: string, words: readonly T[]): T =>
      check(
        key,
        words.find((word) => word === value(key)),
      ),
    optional: <T>(key: string, read: (value: unknown) => T | undefined): T | undefined =>
      value(key) === null ? undefined : check(key, read(value(key))),
  };
}

function parseObject(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not UTF-8 or not JSON: the caller says which record is unreadable.
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
    ? value
    : undefined;
}

function textMap(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

function session(value: unknown): Launch["session"] | undefined {
  if (!isObject(value)) return undefined;
  const { id, name } = value;
  return typeof id === "string" && typeof name === "string" ? { id, name } : undefined;
}

function server(value: unknown): Launch["server"] {
  if (!isObject(value)) return undefined;
  const { pid, start } = value;
  return isPid(pid) && typeof start === "string" ? { pid, start } : undefined;
}

function processIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isObject(value)) return undefined;
  const { pid, start, boot_id: bootId } = value;
  return isPid(pid) && typeof start === "string" && typeof bootId === "string"
    ? { pid, start, bootId }
    : undefined;
}

function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 1;
}
