import { type Clock, Failure, throwIfCancelled } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import type { Guest } from "./guest.ts";

export interface UsableParts {
  readonly incus: Pick<Incus, "instances" | "files">;
  readonly guest: Pick<Guest, "waitForBoot">;
  readonly clock: Clock;
}

/** An address an instance was given and who answers names for it; undefined when it has no network. */
export interface Attachment {
  readonly address: string;
  readonly gateway: string;
}

export interface UsableOptions {
  readonly attachment: Attachment | undefined;
  readonly signal?: AbortSignal | undefined;
}

const bootMs = 60_000;
const addressMs = 30_000;
const pollMs = 25;

/**
 * Resolves when a started instance can be used: its bus answers, its interface has the address and its resolver is
 * the bridge. Throws `unavailable` (`guest-not-booted`, `guest-without-address`).
 */
export async function waitUntilUsable(
  parts: UsableParts,
  instance: string,
  { attachment, signal }: UsableOptions,
): Promise<void> {
  const options = signal === undefined ? {} : { signal };
  const resolved = attachment && pointResolver(parts, instance, { gateway: attachment.gateway, ...options });
  await Promise.all([resolved, parts.guest.waitForBoot(instance, { timeoutMs: bootMs, ...options })]);
  if (attachment) await waitForAddress(parts, instance, { address: attachment.address, ...options });
}

/** Names the bridge as the resolver; a guest whose resolv.conf is a link has a program that keeps it. */
export async function pointResolver(
  { incus }: Pick<UsableParts, "incus">,
  instance: string,
  { gateway, signal }: { readonly gateway: string; readonly signal?: AbortSignal },
): Promise<void> {
  const path = "/etc/resolv.conf";
  const options = signal === undefined ? {} : { signal };
  const wanted = `nameserver ${gateway}\n`;
  const found = await incus.files.read(instance, path, { limit: 4096, ...options });
  if (found?.kind === "symlink") return;
  if (found?.kind === "file" && Buffer.from(found.bytes).toString() === wanted) return;
  await incus.files.write(instance, path, wanted, { mode: 0o644, uid: 0, gid: 0, ...options });
}

async function waitForAddress(
  { incus, clock }: UsableParts,
  instance: string,
  { address, signal }: { readonly address: string; readonly signal?: AbortSignal },
): Promise<void> {
  const deadline = clock.monotonic() + addressMs;
  for (;;) {
    throwIfCancelled(signal);
    const state = await incus.instances.state(instance, signal);
    const nics = Object.values(state?.network ?? {});
    if (nics.some(({ addresses }) => addresses.some((seen) => seen.address === address))) return;
    if (clock.monotonic() > deadline) throw withoutAddress(instance, address);
    await clock.sleep(pollMs, signal);
  }
}

function withoutAddress(instance: string, address: string): Failure {
  return new Failure("unavailable", {
    code: "guest-without-address",
    message: `The instance ${instance} did not take its address ${address} within ${addressMs / 1000} s`,
    next: "Check that udev and a DHCP client run in the image, and that the network's dnsmasq runs on the host",
    details: { instance, address },
  });
}
