import type { HoldingPorts } from "./holding-ports.ts";

/** Starts a stopped instance and waits until its systemd answers. */
export async function wakeInstance(
  ports: Pick<HoldingPorts, "incus" | "guest">,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await ports.incus.instances.start(name, signal);
  await ports.guest.waitForBoot(name, { timeoutMs: bootMs, ...(signal ? { signal } : {}) });
}

const bootMs = 60_000;
