import { asFailure, Failure, type Files, type Random } from "@agent-control/base";
import type { Incus, Keys } from "@agent-control/incus";
import { correctNetwork, ensureAcl, makeNetwork } from "./ensure-networks.ts";
import { type Bridge, bridgeOf, closedConfig, type HostNames } from "./networks.ts";

export interface HostPorts {
  readonly incus: Incus;
  readonly files: Pick<Files, "read">;
  readonly random: Random;
}

export interface HostSetup {
  readonly names: HostNames;
  /** Storage pool to use; made when it is missing. */
  readonly pool: string;
  /** Ports of the bridges' own addresses that proxy-only instances may reach. */
  readonly proxyPorts: readonly number[];
  /** Incus project of this user, made when it is missing; undefined: the one that there is. */
  readonly project: string | undefined;
  readonly onStep?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface PreparedHost {
  readonly full: Bridge;
  readonly proxyOnly: Bridge;
  readonly pool: { readonly name: string; readonly driver: string };
  /** What was made or corrected; [] when everything was as it must be. */
  readonly changes: readonly string[];
}

/**
 * Makes what instances need at the daemon: the project, a storage pool (btrfs where the daemon can, else dir, whose
 * copies take seconds), two bridges and the profile. Safe to run again: only what is missing or wrong is touched, and
 * nothing of another user.
 */
export async function prepareHost(ports: HostPorts, setup: HostSetup): Promise<PreparedHost> {
  const changes: string[] = [];
  const changed = (text: string): void => {
    changes.push(text);
    setup.onStep?.(text);
  };
  const work = { ...ports, setup, changed };
  await ensureProject(work);
  const pool = await ensurePool(work);
  const full = await ensureFull(work);
  const proxyOnly = await ensureProxyOnly(work);
  await ensureProfile(work);
  return { full, proxyOnly, pool, changes };
}

export interface SetupWork extends HostPorts {
  readonly setup: HostSetup;
  readonly changed: (text: string) => void;
}

async function ensureProject({ incus, setup, changed }: SetupWork): Promise<void> {
  const { project, signal } = setup;
  if (project === undefined || (await incus.projects.get(project, signal))) return;
  // Everything but the instances is shared with the default project: networks can only live there.
  const kinds = ["images", "networks", "networks.zones", "profiles", "storage.buckets", "storage.volumes"];
  const config = Object.fromEntries(kinds.map((kind) => [`features.${kind}`, "false"]));
  await incus.projects.create(project, { config, description: "Instances of isx" }, signal);
  changed(`project ${project}`);
}

async function ensurePool({ incus, setup, changed }: SetupWork): Promise<PreparedHost["pool"]> {
  const { pool: name, signal } = setup;
  const there = await incus.storagePools.get(name, signal);
  if (there) return { name, driver: there.driver };
  const { storageDrivers } = await incus.server(signal);
  if (storageDrivers.includes("btrfs")) {
    try {
      await incus.storagePools.create(name, { driver: "btrfs", config: {} }, signal);
      changed(`storage pool ${name} (btrfs)`);
      return { name, driver: "btrfs" };
    } catch (error) {
      if (asFailure(error)?.outcome !== "error") throw error;
    }
  }
  await incus.storagePools.create(name, { driver: "dir", config: {} }, signal);
  changed(`storage pool ${name} (dir: every copy takes seconds; install btrfs-progs before the first init)`);
  return { name, driver: "dir" };
}

async function ensureFull(work: SetupWork): Promise<Bridge> {
  const { full } = work.setup.names;
  const config = { "ipv4.nat": "true", "ipv6.address": "none" };
  const description = "isx: instances with a way out";
  const bridge = asBridge(full, await makeNetwork(work, { name: full, config, description }));
  await correctNetwork(work, full, config);
  return bridge;
}

async function ensureProxyOnly(work: SetupWork): Promise<Bridge> {
  const { names, proxyPorts } = work.setup;
  const name = names.proxyOnly;
  const config = { "ipv4.nat": "false", "ipv6.address": "none" };
  const description = "isx: instances that reach nothing but the proxy";
  const bridge = asBridge(name, await makeNetwork(work, { name, config, description }));
  await ensureAcl(work, { gateway: bridge.gateway, ports: proxyPorts });
  // Names other than those the proxy adds do not resolve: DNS would be a way out.
  await correctNetwork(work, name, { ...closedConfig(names), "raw.dnsmasq": "no-resolv\naddress=/#/" });
  return bridge;
}

function asBridge(name: string, config: Keys): Bridge {
  const bridge = bridgeOf({ name, config });
  if (bridge) return bridge;
  throw new Failure("error", {
    code: "network-unusable",
    message: `The network ${name} has no usable IPv4 address`,
    next: `Delete it (incus network delete ${name}) and run isx init again`,
  });
}

async function ensureProfile({ incus, setup, changed }: SetupWork): Promise<void> {
  const { names, pool, signal } = setup;
  const devices = {
    root: { type: "disk", path: "/", pool },
    eth0: { type: "nic", name: "eth0", network: names.full },
  };
  const there = await incus.profiles.get(names.profile, signal);
  if (!there) {
    const fields = { config: {}, devices, description: "isx: root disk and network" };
    await incus.profiles.create(names.profile, fields, signal);
    return changed(`profile ${names.profile}`);
  }
  const isRight = there.devices["eth0"]?.["network"] === names.full && there.devices["root"] !== undefined;
  if (isRight) return;
  await incus.profiles.change(names.profile, { devices }, there.etag, signal);
  changed(`devices of profile ${names.profile}`);
}
