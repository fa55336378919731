import { Failure } from "@agent-control/base";
import { endUnits } from "./guest-end.ts";
import type { RunPorts } from "./guest-run.ts";

/**
 * What to throw for a command whose exec broke off with `error`. When Incus itself went away the command lives on in
 * the guest without anybody to read it: ends it as soon as Incus answers again, for at most 8 s.
 */
export async function failureOfLoss(
  ports: RunPorts,
  { instance, unit, error }: { readonly instance: string; readonly unit: string; readonly error: unknown },
): Promise<unknown> {
  if (!(error instanceof Failure) || error.outcome !== "unavailable") return error;
  const isEnded = await endWhenBack(ports, instance, unit);
  return new Failure("unavailable", {
    code: "exec-interrupted",
    message: `The connection to Incus was lost while the command ran in ${instance}`,
    next: isEnded
      ? "The command was ended; run it again"
      : "Check Incus with `isx doctor`; the command may still run in the instance",
    cause: error,
  });
}

const patienceMs = 8000;
const pauseMs = 250;

async function endWhenBack(ports: RunPorts, instance: string, unit: string): Promise<boolean> {
  const { clock } = ports;
  const deadline = clock.monotonic() + patienceMs;
  while (clock.monotonic() < deadline) {
    const answer = await tryToEnd(ports, instance, unit);
    if (answer !== "away") return answer === "ended";
    await clock.sleep(pauseMs);
  }
  return false;
}

async function tryToEnd(
  ports: RunPorts,
  instance: string,
  unit: string,
): Promise<"ended" | "remains" | "away"> {
  try {
    await endUnits(ports, instance, { units: [unit], graceMs: 200 });
    return "ended";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.outcome === "unavailable" ? "away" : "remains";
  }
}
