import { join } from "node:path";
import {
  createHoldings,
  createTasks,
  type OrphanLimits,
  processSession,
  type SweepOptions,
  type Swept,
  sweepOrphans,
} from "@agent-control/instances";
import type { InstancePorts } from "./isx-tool.ts";
import type { ProcessFacts, Wiring } from "./main.ts";
import type { Places } from "./places.ts";
import { wireInstances } from "./wire-instances.ts";

/** What an agent's connection has of instances. */
export interface OpenSession extends InstancePorts {
  /** Looks after what dead sessions of this user left; undefined when another process does. */
  sweep(options: SweepOptions & { readonly limits: OrphanLimits }): Promise<readonly Swept[] | undefined>;
}

/** The ways to instances for the session that this process is. Nothing is asked of Incus yet. */
export function openSession(facts: ProcessFacts, places: Places, wiring: Wiring): OpenSession {
  const { machine } = wiring;
  const ways = wireInstances({ facts, places, wiring, projectDirectory: undefined });
  const { incus, guest, lockDirectory: directory } = ways;
  const session = processSession(machine.processTable);
  const tasks = createTasks({
    ...machine,
    guest,
    instances: incus.instances,
    session,
    directory: join(places.stateDirectory, "tasks"),
  });
  const ports = { ...machine, ...ways, tasks, session, directory };
  return {
    ...ways,
    tasks,
    holdings: createHoldings(ports),
    sweep: (options) => sweepOrphans(ports, options),
  };
}
