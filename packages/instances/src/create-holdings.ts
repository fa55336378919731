import { plainText } from "@agent-control/base";
import { adoptInstance } from "./adopt-instance.ts";
import { destroyInstance } from "./destroy-instance.ts";
import { requireHeld } from "./held-instance.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import type { Held, Holdings } from "./holdings.ts";
import { keepInstance } from "./keep-instance.ts";
import { listHoldings } from "./list-holdings.ts";
import { createInstance, forkInstance } from "./make-instance.ts";
import { templateOf, workdirOf } from "./own-instance.ts";
import { startInstance, stopInstance } from "./power-instance.ts";
import { releaseInstances } from "./release-instances.ts";
import { seeInstance } from "./stamp-write.ts";

/**
 * The instances of one session. Nothing is remembered here: every call reads the instance's stamp, since any other
 * process of the same person may have changed it.
 */
export function createHoldings(ports: HoldingPorts): Holdings {
  return {
    session: ports.session,
    require: (name, signal) => held(ports, name, signal),
    create: (request) => createInstance(ports, request),
    fork: (request) => forkInstance(ports, request),
    list: (signal) => listHoldings(ports, signal),
    adopt: (name, options) => adoptInstance(ports, name, options),
    stop: (name, options) => stopInstance(ports, name, options),
    start: (name, signal) => startInstance(ports, name, signal),
    destroy: (name, signal) => destroyInstance(ports, name, signal),
    keep: (name, signal) => keepInstance(ports, name, signal),
    release: () => releaseInstances(ports),
  };
}

async function held(ports: HoldingPorts, name: string, signal: AbortSignal | undefined): Promise<Held> {
  const { instance, stamp } = await requireHeld(ports, name, await seeInstance(ports.incus, name, signal));
  return {
    name,
    template: templateOf(stamp),
    purpose: stamp.purpose === undefined ? undefined : plainText(stamp.purpose),
    status: instance.status,
    workdir: workdirOf(stamp),
    kept: stamp.kept !== undefined,
  };
}
