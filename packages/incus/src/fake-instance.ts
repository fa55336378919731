import { createHash } from "node:crypto";
import type { FakeTree } from "./fake-tree.ts";
import type { Devices, InstanceAt, Keys, ProfileFields } from "./incus.ts";

/** An instance of the fake daemon, as it is now. */
export interface FakeInstance {
  name: string;
  status: string;
  createdAt: string;
  profiles: readonly string[];
  config: Keys;
  devices: Devices;
  files: FakeTree;
  /** Of its init; 0 when stopped. */
  pid: number;
  cpuNs: number;
  /** What runs on it, e.g. "create"; no other operation may. */
  busy: string | undefined;
  /** Fires when it stops; a new one with each start. */
  stopping: AbortController;
}

/** The instance as a GET shows it. */
export function shown(instance: FakeInstance, profiles: ReadonlyMap<string, ProfileFields>): InstanceAt {
  const { name, status, createdAt, config, devices } = instance;
  const used = instance.profiles.map((profile) => profiles.get(profile) ?? { config: {}, devices: {} });
  return {
    name,
    status,
    type: "container",
    createdAt,
    profiles: instance.profiles,
    config,
    devices,
    expandedConfig: Object.assign({}, ...used.map((profile) => profile.config), config),
    expandedDevices: Object.assign({}, ...used.map((profile) => profile.devices), devices),
    etag: etagOf({ config, devices, profiles: instance.profiles }),
  };
}

/** A hash of the content, as Incus makes it: the same content has the same one again. */
export function etagOf(content: object): string {
  return `"${createHash("sha256").update(JSON.stringify(content)).digest("hex")}"`;
}

/** `base` with `over` merged in; "" and null remove an entry. */
export function mergedInto<V>(base: Readonly<Record<string, V>>, over: Readonly<Record<string, V | null>>) {
  const entries = Object.entries({ ...base, ...over });
  const kept = entries.filter((entry): entry is [string, V] => entry[1] !== null && entry[1] !== "");
  // Sorted, so that an ETag does not depend on the order of writing.
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The keys that a copy takes from its source. */
export function inheritedKeys(config: Keys): Keys {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !key.startsWith("volatile.")));
}
