import {
  type FakeClock,
  fakeClock,
  fakeProcessTable,
  fakeRandom,
  type MemoryFiles,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { type FakeIncus, fakeIncus } from "@agent-control/incus/testing";
import { createHoldings } from "../src/create-holdings.ts";
import { createTasks } from "../src/create-tasks.ts";
import type { CreateHolding, HoldingLimits, Holdings } from "../src/holdings.ts";
import { processSession } from "../src/session.ts";
import { readStamp, type Stamp, stampConfig } from "../src/stamp.ts";
import type { StampChange } from "../src/stamp-write.ts";
import { sweepOrphans } from "../src/sweep-orphans.ts";
import type { SweepAct, SweepOptions, Swept } from "../src/sweep-turn.ts";
import {
  copyingBranching,
  fixedTemplates,
  type GuestFacts,
  guestFacts,
  scriptedGuest,
} from "./holding-ports.ts";

/** Sessions of users of one Incus in memory, each in a process of its own, on one machine. */
export interface HoldingsWorld extends GuestFacts {
  readonly incus: FakeIncus;
  readonly clock: FakeClock;
  readonly files: MemoryFiles;
  /** Acts of sweeps, e.g. "destroy mcp-dev-abcde". */
  readonly acts: string[];
  session(options?: SessionOptions): TestSession;
  stamp(name: string): Promise<Stamp>;
  /** Stamps an instance from outside. */
  write(name: string, change: StampChange): Promise<void>;
  /** The instances that agents made. */
  names(): Promise<string[]>;
}

export interface SessionOptions {
  readonly owner?: string;
  /** The id of a coordinator; the process's own when left out. */
  readonly session?: string;
}

export interface TestSession extends Holdings {
  readonly pid: number;
  /** Its process ends without a word. */
  kill(): void;
  make(request?: Partial<CreateHolding>): Promise<string>;
  sweep(options?: Partial<SweepOptions>): Promise<readonly Swept[] | undefined>;
}

export const directory = "/state/mcp";
export const limits: HoldingLimits = { maxInstances: 8, isApproved: (name) => name.startsWith("tpl-") };
export const hourMs = 3_600_000;
export const orphanLimits = { orphanGraceHours: 24, dormantAfterHours: 24, dormantGraceHours: 168 };

export async function holdingsWorld(): Promise<HoldingsWorld> {
  const fake = fakeClock();
  // Short pauses pass by themselves; what waits long waits for the test.
  const clock: FakeClock = {
    ...fake,
    sleep: (ms, signal) => (ms < 1000 ? nextTurn() : fake.sleep(ms, signal)),
  };
  const incus = fakeIncus({ clock });
  const files = memoryFiles();
  const locks = memoryLocks(clock);
  const table = fakeProcessTable();
  const facts = guestFacts();
  const acts: string[] = [];
  const shared = {
    incus,
    clock,
    files,
    locks,
    directory,
    random: fakeRandom(7),
    guest: scriptedGuest(facts, incus),
  };
  const templates = fixedTemplates(["tpl-dev", "tpl-other", "tpl-unbuilt", "secret"]);
  const branching = copyingBranching(incus, ["tpl-dev", "tpl-other", "secret"]);
  for (const name of ["tpl-dev", "tpl-other", "secret"]) {
    await incus.instances.create({
      name,
      source: { type: "image", alias: "base" },
      config: stampConfig({
        type: "template",
        profile: name,
        purpose: "of the template",
        kept: "2020",
        grant: "f".repeat(32),
      }),
    });
  }
  const audited = (act: SweepAct, body: () => Promise<boolean>) => {
    acts.push(`${act.act} ${act.instance}`);
    return body();
  };

  let pids = 5000;
  function session({ owner = "1000:ada", session: given }: SessionOptions = {}): TestSession {
    pids += 1;
    const own = table.add({ pid: pids });
    const processTable = { ...table, self: () => own };
    const id = given ?? processSession(processTable);
    const instances = incus.instances;
    const tasks = createTasks({ ...shared, processTable, instances, session: id, directory: "/state/tasks" });
    const ports = { ...shared, processTable, tasks, owner, session: id };
    const holdings = createHoldings({ ...ports, branching, templates });
    const plain = { template: "tpl-dev", hint: undefined, purpose: undefined, client: "test", limits };
    return {
      ...holdings,
      pid: own.pid,
      kill: () => table.exit(own.pid),
      make: async (request = {}) => (await holdings.create({ ...plain, ...request })).name,
      sweep: (options = {}) => sweepOrphans(ports, { limits: orphanLimits, audited, ...options }),
    };
  }

  return {
    ...facts,
    incus,
    clock,
    files,
    acts,
    session,
    stamp: async (name) => readStamp((await incus.instances.get(name))?.config ?? {}),
    async write(name, change) {
      const seen = await incus.instances.get(name);
      await incus.instances.change(name, { config: stampConfig(change) }, seen?.etag ?? "");
    },
    async names() {
      const listing = await incus.instances.list();
      return listing.map(({ name }) => name).filter((name) => name.startsWith("mcp-"));
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
