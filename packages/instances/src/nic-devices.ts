import type { Devices, InstanceSeen, Keys } from "@agent-control/incus";
import type { Bridge } from "./networks.ts";

export const nicName = "eth0";

/** The NIC of an instance on a bridge of ours: its address is fixed, and it cannot pass for or reach another one. */
export function nicDevice({ network }: Bridge, address: string): Keys {
  return {
    type: "nic",
    name: nicName,
    network,
    "ipv4.address": address,
    "security.ipv4_filtering": "true",
    "security.mac_filtering": "true",
    "security.port_isolation": "true",
  };
}

/** Devices that take every NIC away that the instance has, by its profiles too, except the named one. */
export function maskedNics(devices: InstanceSeen["expandedDevices"], except?: string): Devices {
  return Object.fromEntries(
    Object.entries(devices)
      .filter(([name, device]) => device["type"] === "nic" && name !== except)
      .map(([name]) => [name, { type: "none" }]),
  );
}
