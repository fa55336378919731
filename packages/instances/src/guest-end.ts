import { Failure } from "@agent-control/base";
import { endScript } from "./end-script.ts";
import { type RunPorts, runInGuest } from "./guest-run.ts";

/**
 * Ends units and every process they marked: asks, and kills what still lives after the grace. Resolves when none is
 * left; throws `error`, code `processes-remain`, when that could not be reached.
 */
export async function endUnits(
  ports: RunPorts,
  instance: string,
  { units, graceMs }: { readonly units: readonly string[]; readonly graceMs: number },
): Promise<void> {
  const ended = await runInGuest(ports, instance, {
    script: endScript,
    args: [String(Math.ceil(graceMs / 50)), ...units],
    timeoutMs: graceMs + 10_000,
  });
  if (ended?.exitCode !== 0) throw processesRemain(instance);
}

/** The Failure of processes that outlived a kill. */
export function processesRemain(instance: string): Failure {
  return new Failure("error", {
    code: "processes-remain",
    message: `Some processes in ${instance} could not be ended`,
    next: "Stop the instance with stop_instance and force",
  });
}
