import { asFailure } from "@agent-control/base";
import { requireHeld } from "./held-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { runningTasks, unusualStatus } from "./holding-refusals.ts";
import type { Started, Stopped } from "./holdings.ts";
import { knownTasks } from "./known-tasks.ts";
import { seeInstance } from "./stamp-write.ts";
import { wakeInstance } from "./wake-instance.ts";
import { isBusy } from "./when-free.ts";

interface StopOptions {
  readonly force: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Stops an instance of this session: asks its guest first and ends it when that took too long. Refused
 * (`instance-busy`) while anything runs in it or may run, unless forced.
 */
export async function stopInstance(
  ports: HoldingPorts,
  name: string,
  options: StopOptions,
): Promise<Stopped> {
  const status = await heldStatus(ports, name, options.signal);
  if (status === "Stopped") return { already: true, forced: false, cancelledTasks: [] };
  const cancelledTasks = await endWork(ports, name, options);
  const graceful = await stopGracefully(ports, name, options.signal);
  if (!graceful) await ports.incus.instances.stop(name, { force: true });
  await ports.tasks.forget(name);
  return { already: false, forced: !graceful, cancelledTasks };
}

/** Starts an instance of this session, waits for its boot and reads its tasks again. */
export async function startInstance(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Started> {
  const already = (await heldStatus(ports, name, signal)) === "Running";
  if (!already) await wakeInstance(ports, name, signal);
  return { already, ...(await knownTasks(ports, name, signal)) };
}

async function heldStatus(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<"Running" | "Stopped"> {
  const { instance } = await requireHeld(ports, name, await seeInstance(ports.incus, name, signal));
  if (instance.status === "Running" || instance.status === "Stopped") return instance.status;
  throw unusualStatus(name, instance.status);
}

/** The ids of the tasks that were cancelled for the stop. */
async function endWork(
  ports: HoldingPorts,
  name: string,
  { force, signal }: StopOptions,
): Promise<readonly string[]> {
  if (force) return cancelWork(ports, name, signal);
  const unfinished = await ports.tasks.unfinished(name, signal);
  if (unfinished.length > 0) throw runningTasks(name, unfinished);
  return [];
}

async function cancelWork(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  try {
    const unfinished = new Set(await ports.tasks.unfinished(name, signal));
    const tasks = ports.tasks.on(name).flatMap(({ id }) => (unfinished.has(id) ? [id] : []));
    if (tasks.length > 0) await ports.tasks.cancel(tasks, signal);
    return tasks;
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.outcome === "cancelled") throw error;
    return []; // A guest that does not answer cannot record the end of its tasks; the stop ends them all the same.
  }
}

// A stop that comes before systemd listens is lost, so a guest that does not boot is not asked.
async function stopGracefully(
  ports: HoldingPorts,
  name: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const options = signal ? { signal } : {};
  try {
    await ports.guest.waitForBoot(name, { timeoutMs: bootMs, ...options });
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== "guest-not-booted") throw error;
    return false;
  }
  try {
    return await ports.incus.instances.stop(name, { graceS }, signal);
  } catch (error) {
    if (isBusy(error)) return false; // An earlier stop was cut off: only force ends the instance now.
    throw error;
  }
}

const bootMs = 10_000;
const graceS = 10;
