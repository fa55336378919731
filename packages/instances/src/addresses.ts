import { join } from "node:path";
import { asFailure, Failure, type Locks, type Random } from "@agent-control/base";
import type { Incus, InstanceSeen } from "@agent-control/incus";
import { ipv4Number, ipv4Text, prefixMask } from "./ipv4.ts";
import type { Bridge } from "./networks.ts";

export interface AddressParts {
  readonly incus: Pick<Incus, "instances">;
  readonly locks: Locks;
  readonly random: Random;
  /** Where the reservations are. */
  readonly directory: string;
}

const mostTries = 200;

/**
 * Runs `body` with an address of the bridge that nobody has. It stays reserved for all processes of this user until
 * `body` is over; by then the instance that carries it is listed.
 */
export async function withAddress<T>(
  parts: AddressParts,
  bridge: Bridge,
  body: (address: string) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const address = randomAddress(bridge, parts.random);
    const result = await whileReserved(parts, { bridge, address }, body);
    if (result !== "taken") return result.value;
  }
  throw new Failure("error", {
    code: "no-address",
    message: `The network ${bridge.network} has no free address left that could be found`,
    next: "Destroy instances that are no longer needed",
  });
}

/** The addresses that instances carry, running or not. */
export function addressesOf(instances: readonly InstanceSeen[]): ReadonlySet<string> {
  const devices = instances.flatMap(({ expandedDevices }) => Object.values(expandedDevices));
  return new Set(devices.flatMap((device) => device["ipv4.address"] ?? []));
}

interface Reservation {
  readonly bridge: Bridge;
  readonly address: string;
}

async function whileReserved<T>(
  { incus, locks, directory }: AddressParts,
  { bridge, address }: Reservation,
  body: (address: string) => Promise<T>,
): Promise<{ readonly value: T } | "taken"> {
  const path = join(directory, `${bridge.network}-${address}`);
  let reserved = false;
  try {
    return await locks.hold(path, { waitMs: 0, what: `the address ${address}` }, async () => {
      reserved = true;
      // Listed after it was reserved: whoever had it reserved before is in the list by now.
      if (address === bridge.gateway || addressesOf(await incus.instances.list()).has(address))
        return "taken";
      return { value: await body(address) };
    });
  } catch (error) {
    if (!reserved && asFailure(error)?.code === "busy") return "taken";
    throw error;
  }
}

/** Any host address of the network. An address that was just freed is unlikely to come again soon. */
function randomAddress({ gateway, prefix }: Bridge, random: Random): string {
  const hosts = 2 ** (32 - prefix) - 2;
  const host = 1 + (Buffer.from(random.bytes(4)).readUInt32BE() % hosts);
  return ipv4Text(((ipv4Number(gateway) & prefixMask(prefix)) >>> 0) + host);
}
