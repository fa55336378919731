import { asFailure, Failure } from "@agent-control/base";
import { type RunPorts, runInGuest } from "./guest-run.ts";
import { type TimeLimit, within } from "./guest-within.ts";

/** Resolves when systemd answers; asks in the guest, so that it costs one exec however long it takes. */
export async function waitForBoot(ports: RunPorts, instance: string, limit: TimeLimit): Promise<void> {
  const ended = await within(ports.clock, limit, (signal) => {
    return askUntilBegun(ports, instance, { timeoutMs: limit.timeoutMs, signal });
  });
  if (ended?.exitCode === 0) return;
  throw new Failure("unavailable", {
    code: "guest-not-booted",
    message: `${instance} had not booted after ${limit.timeoutMs / 1000} s`,
    next: "Try again in a moment, or look at its console with `incus console`",
  });
}

// In the first moments of an instance, on a busy machine, Incus sometimes fails to begin any program in it.
async function askUntilBegun(ports: RunPorts, instance: string, limit: TimeLimit) {
  for (;;) {
    try {
      return await runInGuest(ports, instance, { script: bootScript, ...limit });
    } catch (error) {
      if (asFailure(error)?.code !== "incus-refused") throw error;
      await ports.clock.sleep(50, limit.signal);
    }
  }
}

// Prints "initializing", "starting", "running", "degraded" … once PID 1 listens; exits non-zero for most of them.
const bootScript = `
until state=$(systemctl is-system-running 2>/dev/null); [ "$state" != "" ] && [ "$state" != offline ] && [ "$state" != unknown ]; do
  sleep 0.02
done
`;
