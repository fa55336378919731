import { Failure } from "@agent-control/base";
import type { Incus, NetworkSeen } from "@agent-control/incus";
import type { NetworkMode } from "@agent-control/policy";

/** A bridge of this user, as instances see it. */
export interface Bridge {
  readonly network: string;
  /** The host's own IPv4 address on it: router, resolver, and where the proxy listens. */
  readonly gateway: string;
  /** Length of the network's prefix, 8..29. */
  readonly prefix: number;
}

/** What isx calls its things at the daemon; other users of the daemon have other ones. */
export interface HostNames {
  /** Bridge with a way out, at most 15 characters as the kernel wants it. */
  readonly full: string;
  /** Bridge that reaches nothing but the proxy. */
  readonly proxyOnly: string;
  readonly acl: string;
  readonly profile: string;
}

/** The names for a host user. */
export function hostNames(uid: number): HostNames {
  return {
    full: `isx${uid}f`,
    proxyOnly: `isx${uid}p`,
    acl: `isx${uid}p`,
    profile: `isx-${uid}`,
  };
}

/** The bridge for a mode; throws `refused`, code `host-not-prepared`, when it is missing or lets out more than it must. */
export async function requireBridge(
  incus: Incus,
  names: HostNames,
  options: { readonly mode: Exclude<NetworkMode, "airgap">; readonly signal?: AbortSignal | undefined },
): Promise<Bridge> {
  const network = options.mode === "full" ? names.full : names.proxyOnly;
  const seen = await incus.networks.get(network, options.signal);
  const bridge = seen && bridgeOf(seen);
  if (!seen || !bridge) throw notPrepared(`The network ${network} is missing or has no IPv4 address`);
  if (options.mode === "proxy-only" && !isClosed(seen, names)) {
    throw notPrepared(`The network ${network} is not closed: its access list or its rules were changed`);
  }
  return bridge;
}

/** The bridge that a network is; undefined for one without a usable IPv4 address. */
export function bridgeOf({ name, config }: Pick<NetworkSeen, "name" | "config">): Bridge | undefined {
  const match = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(config["ipv4.address"] ?? "");
  const [, gateway, prefix] = match ?? [];
  const length = Number(prefix);
  if (gateway === undefined || !(length >= 8 && length <= 29)) return undefined;
  return { network: name, gateway, prefix: length };
}

/** True when the network lets out nothing that its access list does not name. */
export function isClosed({ config }: Pick<NetworkSeen, "config">, names: HostNames): boolean {
  return Object.entries(closedConfig(names)).every(([key, value]) => config[key] === value);
}

/** Keys of a network that lets out nothing that the access list does not name. */
export function closedConfig(names: HostNames): Readonly<Record<string, string>> {
  return {
    "ipv4.nat": "false",
    "ipv6.address": "none",
    "security.acls": names.acl,
    "security.acls.default.egress.action": "reject",
    "security.acls.default.ingress.action": "reject",
  };
}

function notPrepared(message: string): Failure {
  return new Failure("refused", {
    code: "host-not-prepared",
    message,
    next: "Run isx init, which makes what is missing and changes nothing else",
  });
}
