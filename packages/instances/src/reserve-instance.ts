import { join } from "node:path";
import { Failure } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import type { HoldingPorts } from "./holding-ports.ts";
import { instanceName } from "./instance-name.ts";
import { type OwnInstance, ownInstance, type Standing } from "./own-instance.ts";
import { createReservations, type Reservation } from "./reservations.ts";
import { type SessionLife, sessionLife } from "./session.ts";

/**
 * Runs `body` with a fresh name that has a place among the user's instances, as long as it runs: at no time do all
 * sessions together have more than `maxInstances` instances, kept ones apart. Refuses (`instance-limit`) with the
 * counts.
 */
export async function withReservedInstance<T>(
  ports: HoldingPorts,
  request: {
    readonly template: string;
    readonly hint: string | undefined;
    readonly maxInstances: number;
    readonly signal?: AbortSignal | undefined;
  },
  body: (name: string) => Promise<T>,
): Promise<T> {
  const reservations = createReservations(ports.files, ports.directory);
  const lock = {
    waitMs: lockWaitMs,
    what: "the count of instances",
    ...(request.signal ? { signal: request.signal } : {}),
  };
  const name = await ports.locks.hold(join(ports.directory, "instances.lock"), lock, async () => {
    // In this order: an instance that is listed meanwhile then counts twice or once, but never not at all.
    const all = reservations.all();
    const listing = await ports.incus.instances.list(request.signal ? { signal: request.signal } : {});
    const isAlive = sessionLife(ports.processTable, listing);
    const reserved = reservations.living(all, isAlive);
    requireRoom(standings(ports, { listing, reserved, isAlive }), request.maxInstances);
    const taken = new Set([...listing.map((each) => each.name), ...all.map((each) => each.instance)]);
    const fresh = instanceName(request.template, request.hint, { random: ports.random, taken });
    reservations.add({ instance: fresh, session: ports.session });
    return fresh;
  });
  try {
    return await body(name);
  } finally {
    reservations.drop(name);
  }
}

const lockWaitMs = 30_000;

/** The standing of everything that counts: what is listed and unkept, and what is reserved and not yet listed. */
function standings(
  ports: HoldingPorts,
  seen: {
    readonly listing: readonly InstanceSeen[];
    readonly reserved: readonly Reservation[];
    readonly isAlive: SessionLife;
  },
): readonly Standing[] {
  const listed = new Set(seen.listing.map(({ name }) => name));
  const made = seen.listing
    .flatMap((instance) => ownInstance(instance, ports, seen.isAlive) ?? [])
    .filter(counts)
    .map(({ standing }) => standing);
  const making = seen.reserved
    .filter(({ instance }) => !listed.has(instance))
    .map(({ session }): Standing => (session === ports.session ? "mine" : "held"));
  return [...made, ...making];
}

function counts({ stamp }: OwnInstance): boolean {
  return stamp.kept === undefined;
}

function requireRoom(standings: readonly Standing[], max: number): void {
  if (standings.length < max) return;
  const count = (wanted: Standing) => standings.filter((standing) => standing === wanted).length;
  const [mine, held, orphaned] = [count("mine"), count("held"), count("orphaned")];
  throw new Failure("refused", {
    code: "instance-limit",
    message: `max-instances is ${max} and ${standings.length} are in use: ${mine} of this session, ${held} of other sessions, ${orphaned} orphaned`,
    next: "Destroy one that is done with, or adopt an orphan; only the person can raise max-instances in mcp.yaml",
    details: { max_instances: max, mine, held, orphaned },
  });
}
