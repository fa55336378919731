import { shownText } from "@agent-control/base";
import type { Keys } from "./incus.ts";
import { badRequest } from "./incus-failure.ts";

/**
 * Refuses ACLs on a NIC: where the kernel cannot filter bridges by connection, Incus fails to set them, and drops the
 * NIC's anti-spoofing rules while it still lists them (lxc/incus#4008).
 */
export function requireSafeNics(devices: Readonly<Record<string, Keys | null>>): void {
  for (const [name, device] of Object.entries(devices)) {
    if (device?.["type"] !== "nic" || !device["security.acls"]) continue;
    throw badRequest(
      "nic-acls",
      `The NIC ${shownText(name)} would lose its anti-spoofing rules by ACLs of its own`,
      "Put the ACLs on its network instead",
    );
  }
}
