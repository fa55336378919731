import { fakeClock, fakeRandom, memoryFiles, memoryLocks } from "@agent-control/base/testing";
import type { Incus } from "@agent-control/incus";
import { type FakeIncus, fakeIncus } from "@agent-control/incus/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { repairBuilds } from "../src/repair-builds.ts";
import { readStamp, stampConfig } from "../src/stamp.ts";
import { createTemplateLock } from "../src/template-lock.ts";
import { nextSwapStep, settleSwap, templateParts, unsettledSwaps } from "../src/template-swap.ts";

const owner = "1000:ada";

/** One user's process. */
function process(incus: Incus) {
  const clock = fakeClock({ autoAdvance: true });
  const files = memoryFiles();
  const locks = memoryLocks(clock);
  const directory = "/run/locks";
  files.makeDirectory(directory);
  const templateLock = createTemplateLock({ files, locks, random: fakeRandom(), directory });
  return { incus, templateLock, owner, locks, files, clock, lockDirectory: directory };
}

async function instance(incus: Incus, name: string, stamp: Parameters<typeof stampConfig>[0]): Promise<void> {
  const config = stampConfig({ owner, ...stamp });
  await incus.instances.create({ name, source: { type: "image", alias: "base" }, config });
}

const template = (created: string) => ({ type: "template", profile: "tpl-a", created });

/** The daemon after a build of tpl-a was completed next to the old one. */
async function completed({ isFirst = false } = {}): Promise<FakeIncus> {
  const incus = fakeIncus({ clock: fakeClock() });
  if (!isFirst) await instance(incus, "tpl-a", template("old"));
  await instance(incus, templateParts.rebuilding("tpl-a"), template("new"));
  return incus;
}

const present = async (incus: Incus) =>
  (await incus.instances.list()).map(({ name, config }) => `${name} ${readStamp(config).created}`);

it("X-06 puts the new image in the place of the old one and deletes that", async () => {
  const incus = await completed();
  await settleSwap(process(incus), "tpl-a");
  expect(await present(incus)).toEqual(["tpl-a new"]);
});

it("X-06 puts a first build in place", async () => {
  const incus = await completed({ isFirst: true });
  await settleSwap(process(incus), "tpl-a");
  expect(await present(incus)).toEqual(["tpl-a new"]);
});

it("X-83 leaves a template under its name whichever call the process dies in, and after a second death too", async () => {
  const deaths = fc.array(fc.record({ call: fc.nat(8), isAfter: fc.boolean() }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(deaths, fc.boolean(), async (ends, isFirst) => {
      const incus = await completed({ isFirst });
      for (const end of ends) {
        const survive = dieIn(incus, end);
        await settleSwap(process(incus), "tpl-a").catch(onlyDeath);
        survive();
      }
      await repairBuilds(process(incus));
      expect(await present(incus)).toEqual(["tpl-a new"]);
      expect(unsettledSwaps(await incus.instances.list(), owner)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it("X-83 puts the old image back when there is no complete new one", async () => {
  const incus = fakeIncus({ clock: fakeClock() });
  await instance(incus, templateParts.replaced("tpl-a"), template("old"));
  await instance(incus, templateParts.rebuilding("tpl-a"), {
    type: "rebuilding",
    profile: "tpl-a",
    created: "half",
  });
  const done = await repairBuilds(process(incus));
  expect(await present(incus)).toEqual(["tpl-a old"]);
  expect(done).toEqual(["The template tpl-a was put in place", "The half-built image of tpl-a was removed"]);
});

it("X-83 leaves a half-built image alone while its build runs", async () => {
  const incus = fakeIncus({ clock: fakeClock() });
  await instance(incus, templateParts.rebuilding("tpl-a"), {
    type: "rebuilding",
    profile: "tpl-a",
    created: "half",
  });
  const other = process(incus);
  const end = other.locks.occupy(`${other.lockDirectory}/tpl-a.build`, 77);
  expect(await repairBuilds(other)).toEqual([]);
  expect(await present(incus)).toEqual(["tpl-a-rebuilding half"]);
  end();
  expect(await repairBuilds(other)).toEqual(["The half-built image of tpl-a was removed"]);
});

it("X-86 takes another user's instances for nobody's parts of a swap", async () => {
  const incus = fakeIncus({ clock: fakeClock() });
  await instance(incus, "tpl-a", { ...template("theirs"), owner: "1001:grace" });
  await instance(incus, templateParts.rebuilding("tpl-a"), { ...template("theirs"), owner: "1001:grace" });
  expect(nextSwapStep("tpl-a", await incus.instances.list(), owner)).toBe("done");
  expect(await repairBuilds(process(incus))).toEqual([]);
});

it("X-06 touches no instance of a person that only has such a name", async () => {
  const incus = fakeIncus({ clock: fakeClock() });
  await instance(incus, "tpl-a", template("old"));
  await instance(incus, templateParts.replaced("tpl-a"), {
    type: "branch",
    profile: "tpl-a",
    created: "mine",
  });
  expect(await repairBuilds(process(incus))).toEqual([]);
  expect(await present(incus)).toEqual(["tpl-a old", "tpl-a-replaced mine"]);
});

interface Death {
  readonly call: number;
  /** After the daemon did what was asked, before the answer. */
  readonly isAfter: boolean;
}

const death = new Error("kill -9");

/** Ends the process in its n-th call of the daemon; the returned function ends that. */
function dieIn(incus: FakeIncus, { call, isAfter }: Death): () => void {
  let calls = 0;
  return incus.intercept(({ phase }) => {
    if (phase === (isAfter ? "after" : "before") && calls++ === call) throw death;
  });
}

function onlyDeath(error: unknown): void {
  if (error !== death) throw error;
}
