import { Failure, type Files, type Random } from "@agent-control/base";
import type { NetworkSeen } from "@agent-control/incus";
import { ipv4Number, ipv4Text, prefixMask } from "./ipv4.ts";

export interface Subnet {
  /** First address, as a number. */
  readonly base: number;
  readonly mask: number;
}

/**
 * The address of a bridge, e.g. `10.17.4.1/24`, in a subnet that overlaps none of these. The daemon's own search is
 * not used: it sends pings to whatever may be at the addresses it tries.
 */
export function freeSubnet(used: readonly Subnet[], random: Random): string {
  const start = Buffer.from(random.bytes(2)).readUInt16BE();
  for (let step = 0; step < 65_536; step += 1) {
    const base = (10 * 2 ** 24 + ((start + step) % 65_536) * 256) >>> 0;
    const candidate = { base, mask: prefixMask(24) };
    if (!used.some((subnet) => overlap(subnet, candidate))) return `${ipv4Text(base + 1)}/24`;
  }
  throw new Failure("error", {
    code: "no-subnet",
    message: "Every subnet of 10.0.0.0/8 is in use",
    next: "Make the networks by hand (incus network create) with addresses of your own",
  });
}

/** Subnets that the host has routes to; [] where it does not say (Linux does, in /proc/net/route). */
export function routedSubnets(files: Pick<Files, "read">): readonly Subnet[] {
  const bytes = files.read("/proc/net/route", 1024 * 1024);
  const lines = Buffer.from(bytes ?? [])
    .toString()
    .split("\n")
    .slice(1);
  return lines.flatMap((line) => {
    const [, destination, , , , , , mask] = line.split(/\s+/);
    if (destination === undefined || mask === undefined) return [];
    const subnet = { base: fromHex(destination), mask: fromHex(mask) };
    return subnet.mask === 0 ? [] : [subnet];
  });
}

/** Subnets of the daemon's networks, those included whose bridge is not up. */
export function networkSubnets(networks: readonly NetworkSeen[]): readonly Subnet[] {
  return networks.flatMap(({ config }) => {
    const [address, prefix] = (config["ipv4.address"] ?? "").split("/");
    if (address === undefined || prefix === undefined) return [];
    const mask = prefixMask(Number(prefix));
    return [{ base: (ipv4Number(address) & mask) >>> 0, mask }];
  });
}

// The kernel prints the four bytes in the machine's order, which is little endian wherever Node runs.
function fromHex(text: string): number {
  return Buffer.from(text, "hex").readUInt32LE();
}

function overlap(a: Subnet, b: Subnet): boolean {
  const mask = (a.mask & b.mask) >>> 0;
  return (a.base & mask) >>> 0 === (b.base & mask) >>> 0;
}
