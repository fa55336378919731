import { join } from "node:path";
import type { Clock, ProcessIdentity } from "@agent-control/base";
import { createIncus, type Incus } from "@agent-control/incus";
import type { Machine } from "@agent-control/system";
import { createBranching } from "../src/create-branching.ts";
import { createGuest } from "../src/create-guest.ts";
import { createHoldings } from "../src/create-holdings.ts";
import { createTasks } from "../src/create-tasks.ts";
import { createTemplates } from "../src/create-templates.ts";
import type { Guest } from "../src/guest.ts";
import type { HoldingLimits, Holdings } from "../src/holdings.ts";
import { hostNames } from "../src/networks.ts";
import { processSession } from "../src/session.ts";
import { sweepOrphans } from "../src/sweep-orphans.ts";
import type { SweepAct, Swept } from "../src/sweep-turn.ts";
import type { OrphanLimits } from "../src/sweep-verdict.ts";

/** Where a host user's instances are; plain data, so that another process can open the same. */
export interface HoldingPlace {
  readonly socketPath: string;
  readonly project: string;
  readonly uid: number;
  readonly owner: string;
  /** Of template definitions. */
  readonly configDirectory: string;
  readonly lockDirectory: string;
}

export interface RealSession extends Holdings {
  readonly incus: Incus;
  readonly acts: readonly string[];
  sweep(limits: OrphanLimits): Promise<readonly Swept[] | undefined>;
}

export interface SessionChanges {
  /** The process that the session is; this one when left out. */
  readonly identity?: ProcessIdentity;
  /** Milliseconds that the wall clock is ahead. */
  readonly aheadMs?: number;
  readonly presence?: Guest["presence"];
}

export const dayLimits: OrphanLimits = {
  orphanGraceHours: 24,
  dormantAfterHours: 24,
  dormantGraceHours: 168,
};
export const allApproved = (maxInstances: number): HoldingLimits => ({
  maxInstances,
  isApproved: () => true,
});

/** A session at a real Incus, with everything as the program has it. */
export function openHoldings(
  place: HoldingPlace,
  machine: Machine,
  changes: SessionChanges = {},
): RealSession {
  const { identity = machine.processTable.self(), aheadMs = 0 } = changes;
  const processTable = { ...machine.processTable, self: () => identity };
  const clock: Clock = { ...machine.clock, now: () => machine.clock.now() + aheadMs };
  const { owner, configDirectory, lockDirectory, socketPath, project } = place;
  const incus = createIncus({ socketPath, project, clock });
  const session = processSession(processTable);
  const real = { ...machine, incus, clock, processTable, owner, session };
  const templates = createTemplates({
    files: machine.files,
    configDirectory,
    projectDirectory: undefined,
    config: async () => ({ searchPaths: [], baseImage: "base" }),
  });
  const own = createGuest(real);
  const guest = changes.presence ? { ...own, presence: changes.presence } : own;
  const tasks = createTasks({
    ...{ ...real, guest, instances: incus.instances },
    directory: join(lockDirectory, "tasks"),
  });
  const branching = createBranching({
    ...real,
    guest,
    templates,
    names: hostNames(place.uid),
    lockDirectory,
  });
  const ports = { ...real, guest, tasks, templates, branching, directory: join(lockDirectory, "holdings") };
  const acts: string[] = [];
  return {
    ...createHoldings(ports),
    incus,
    acts,
    sweep: (limits) =>
      sweepOrphans(ports, {
        limits,
        audited: ({ act, instance }: SweepAct, body) => {
          acts.push(`${act} ${instance}`);
          return body();
        },
      }),
  };
}
