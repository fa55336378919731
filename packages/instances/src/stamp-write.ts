import { type Clock, Failure, shownText } from "@agent-control/base";
import type { Incus, InstanceAt } from "@agent-control/incus";
import { isInstanceName } from "./instance-name.ts";
import { readStamp, type Stamp, type StampKey, stampConfig } from "./stamp.ts";
import { isBusy, whenFree } from "./when-free.ts";

/** Parts of a stamp to write; undefined removes a part, what is not named stays. */
export type StampChange = Readonly<Partial<Record<StampKey, string | undefined>>>;

/** Looks at the instance as it is now: the change to write, undefined to write nothing, or a thrown refusal. */
export type DecideStamp = (
  seen: InstanceAt | undefined,
) => StampChange | undefined | Promise<StampChange | undefined>;

export interface StampOptions {
  readonly decide: DecideStamp;
  /**
   * True where the instance may be ended: after a graceful stop that was not followed by a forced one, Incus 6.0
   * takes no change of a half shut down instance any more until it is stopped by force.
   */
  readonly mayStop?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a stamp so that nobody's word is lost: reads the instance, lets `decide` look, and writes only if the
 * instance is still as it was seen; otherwise reads and decides again, at most 10 times (then `stamp-contended`).
 * Every write raises the stamp's counter, so that no state of an instance comes back. Waits while another operation
 * runs on the instance. Resolves to what the last decision saw.
 */
export async function writeStamp(
  ports: { readonly incus: Pick<Incus, "instances">; readonly clock: Clock },
  name: string,
  options: StampOptions,
): Promise<InstanceAt | undefined> {
  const { instances } = ports.incus;
  const waiting = {
    signal: options.signal,
    onStuck: options.mayStop ? () => endStuckStop(instances, name) : undefined,
  };
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const seen = await seeInstance(ports.incus, name, options.signal);
    const change = await options.decide(seen);
    if (seen === undefined || change === undefined) return seen;
    const config = stampConfig({ ...change, counter: nextCounter(readStamp(seen.config)) });
    const write = () => instances.change(name, { config }, seen.etag, options.signal);
    if (await whenFree(ports.clock, write, waiting)) return seen;
    await ports.clock.sleep(tries * pauseMs, options.signal);
  }
  throw new Failure("error", {
    code: "stamp-contended",
    message: `Instance ${shownText(name)} was changed by others ${mostTries} times while it was being stamped`,
    next: "Try again in a moment",
    details: { instance: name },
  });
}

/** The instance, or undefined for none and for what cannot be an instance's name. */
export async function seeInstance(
  incus: Pick<Incus, "instances">,
  name: string,
  signal?: AbortSignal,
): Promise<InstanceAt | undefined> {
  return isInstanceName(name) ? incus.instances.get(name, signal) : undefined;
}

async function endStuckStop(instances: Incus["instances"], name: string): Promise<void> {
  try {
    await instances.stop(name, { force: true });
  } catch (error) {
    if (!isBusy(error)) throw error; // It is not a stop that runs, but a copy: that ends by itself.
  }
}

const mostTries = 10;
const pauseMs = 5;

function nextCounter({ counter }: Stamp): string {
  return String(/^\d{1,15}$/.test(counter ?? "") ? Number(counter) + 1 : 1);
}
