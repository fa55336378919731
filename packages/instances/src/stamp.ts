import type { Keys } from "@agent-control/incus";

/** What isx writes on an instance. Guest root can read every key, so none is a secret. */
export const stampKeys = {
  /** template | branch | failed-build | rebuilding */
  type: "user.incus-spawn.type",
  /** The leaf template whose definition this instance stands for; carried by every copy. */
  profile: "user.incus-spawn.profile",
  /** What it was copied from. */
  parent: "user.incus-spawn.parent",
  /** ISO-8601, UTC. */
  created: "user.incus-spawn.created",
  /** Only templates: JSON of `BuildSource`. */
  buildSource: "user.incus-spawn.build-source",
  /** Only templates: hash of the definition chain it was built from. */
  definitionHash: "user.incus-spawn.definition-hash",
  /** full | proxy-only | airgap */
  network: "user.incus-spawn.network",
  /** The NIC's fixed IPv4 address. */
  address: "user.incus-spawn.address",
  /** Absolute path in the guest. */
  workdir: "user.incus-spawn.workdir",
  defaultAction: "user.incus-spawn.default-action",
  shellCommand: "user.incus-spawn.shell-command",
  /** Host user that made it, `<uid>:<name>`; on everything isx makes. */
  owner: "user.incus-spawn.owner",
  /** Below: only instances that were made through MCP. `<uid>:<name>` of the host user. */
  mcpOwner: "user.incus-spawn.mcp-owner",
  /** The session that holds it, see session.ts. */
  session: "user.incus-spawn.mcp-session",
  purpose: "user.incus-spawn.mcp-purpose",
  /** The client's own name, e.g. "claude-code". */
  client: "user.incus-spawn.mcp-client",
  /** creating | ready | stopping | destroying */
  state: "user.incus-spawn.mcp-state",
  /** `<ISO instant> <session>`: released, or first seen with a dead holder; counts only while it names the holder. */
  orphaned: "user.incus-spawn.mcp-orphaned",
  /** `<ISO instant> <session>`: stopped as dormant. */
  dormant: "user.incus-spawn.mcp-dormant",
  /** `<ISO instant> <cpu ns> <quiet since ISO instant>` */
  cpuSample: "user.incus-spawn.mcp-cpu-sample",
  /** ISO instant at which keep_instance gave it to the person. */
  kept: "user.incus-spawn.mcp-kept",
  /** Raised by every stamp write, so that an ETag never repeats. */
  counter: "user.incus-spawn.mcp-counter",
  /** The coordinator's grant; only `isx branch` writes it and no copy keeps it. */
  grant: "user.incus-spawn.mcp-caller",
} as const;

export type StampKey = keyof typeof stampKeys;
export type Stamp = Readonly<Partial<Record<StampKey, string>>>;

/** The stamp on an instance; keys that are missing or empty are left out. */
export function readStamp(config: Keys): Stamp {
  return Object.fromEntries(
    Object.entries(stampKeys).flatMap(([key, name]) => {
      const value = config[name];
      return value === undefined || value === "" ? [] : [[key, value]];
    }),
  );
}

/** Config keys that write these parts of a stamp; undefined removes a part, what is not named stays. */
export function stampConfig(stamp: Readonly<Partial<Record<StampKey, string | undefined>>>): Keys {
  return Object.fromEntries(
    Object.entries(stamp).map(([key, value]) => [stampKeys[key as StampKey], value ?? ""]),
  );
}

/** Config keys of a copy request that clear everything inherited from `source`, so that a copy has only its own stamp. */
export function clearedStamp(source: Keys): Keys {
  return Object.fromEntries(
    Object.keys(source)
      .filter((key) => key.startsWith("user.incus-spawn."))
      .map((key) => [key, ""]),
  );
}
