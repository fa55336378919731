import { type ChildProcess, spawn } from "node:child_process";
import { createMachine } from "@agent-control/system";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { renderMark } from "../src/holder-mark.ts";
import { processSession } from "../src/session.ts";
import { clearedStamp, readStamp, stampConfig } from "../src/stamp.ts";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";
import { buildHolder, type HolderProgram } from "./holder-process.ts";
import { readyTemplate } from "./ready-template.ts";
import {
  allApproved,
  dayLimits,
  type HoldingPlace,
  openHoldings,
  type SessionChanges,
} from "./real-holdings.ts";

const hourMs = 3_600_000;
const dead = "999999-1-aaaaaaaa";
const gently = { force: false, client: "test", limits: allApproved(100) };

describe.skipIf(incusSocket === undefined)("holdings on a real Incus", () => {
  const machine = createMachine({ onError: (failure) => console.error(failure.message) });
  const children: ChildProcess[] = [];
  let world: RealWorld;
  let program: HolderProgram;
  let place: HoldingPlace;

  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
    program = await buildHolder();
    await readyTemplate(world, { name: "tpl-ready" });
    const { project, uid, owner, configDirectory, lockDirectory } = world;
    place = { socketPath: incusSocket ?? "", project, uid, owner, configDirectory, lockDirectory };
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    program.remove();
    await world.end();
  }, 60_000);

  /** A session whose process is alive and does nothing else. */
  const session = (changes: SessionChanges = {}) => {
    const child = spawn("sleep", ["600"]);
    children.push(child);
    const identity = machine.processTable.look(child.pid ?? 0);
    return openHoldings(place, machine, { ...(identity ? { identity } : {}), ...changes });
  };
  const stampOf = async (name: string) => readStamp((await world.incus.instances.get(name))?.config ?? {});
  const agents = async () =>
    (await world.incus.instances.list()).filter(({ config }) => readStamp(config).mcpOwner === world.owner);
  const discardAll = async () => {
    await Promise.all((await agents()).map(({ name }) => world.discard(name)));
  };
  afterEach(discardAll);
  let copies = 0;
  /** A stopped instance with this stamp, held by a dead session unless the stamp says otherwise. */
  const stamped = async (stamp: Parameters<typeof stampConfig>[0] = {}, start = false) => {
    copies += 1;
    const name = world.unique(`mcp-ready-${copies}`);
    const template = await world.incus.instances.get("tpl-ready");
    const own = {
      type: "branch",
      profile: "tpl-ready",
      mcpOwner: world.owner,
      session: dead,
      state: "ready",
      ...stamp,
    };
    const source = { type: "copy", instance: "tpl-ready" } as const;
    const config = { ...clearedStamp(template?.config ?? {}), ...stampConfig(own) };
    await world.incus.instances.create({ name, source, config, start });
    return name;
  };
  const restamp = async (name: string, stamp: Parameters<typeof stampConfig>[0]) => {
    const seen = await world.incus.instances.get(name);
    const wrote = await world.incus.instances.change(name, { config: stampConfig(stamp) }, seen?.etag ?? "");
    expect(wrote).toBe(true);
  };
  const longAgo = (hours: number) => renderMark(machine.clock.now() - hours * hourMs, dead);

  it("X-13 X-14 X-17 creates, stops, forks, keeps, starts and destroys", async () => {
    const ada = session();
    const plain = { hint: "870-impl-", purpose: "#870", client: "test", limits: allApproved(100) };
    const made = await ada.create({ ...plain, template: "tpl-ready" });
    expect(made.name).toMatch(/^mcp-ready-870-impl-[a-z2-7]{5}$/);
    expect(await ada.stop(made.name, { force: false })).toMatchObject({ already: false, forced: false });
    const fork = await ada.fork({ ...plain, source: made.name, hint: "fork" });
    expect(await stampOf(fork.name)).toMatchObject({
      parent: made.name,
      profile: "tpl-ready",
      state: "ready",
    });
    await ada.keep(made.name);
    expect(await stampOf(fork.name)).not.toHaveProperty("kept");
    expect(await ada.start(made.name)).toMatchObject({ already: false, warning: undefined });
    expect(await ada.destroy(fork.name)).toEqual({ already: false });
    expect(await ada.destroy(fork.name)).toEqual({ already: true });
    await ada.release();
    expect(await ada.list()).toMatchObject([{ name: made.name, kept: true, status: "Running" }]);
  }, 60_000);

  it("X-15 never passes max-instances with 20 creations at once in each of two processes", async () => {
    const holders = await Promise.all([program.start(place), program.start(place)]);
    let over = false;
    let most = 0;
    const watching = (async () => {
      while (!over) most = Math.max(most, (await agents()).length);
    })();
    const ended = (
      await Promise.all(holders.map((holder) => holder.ask("create-at-once 8")))
    ).flat() as string[];
    over = true;
    await watching;
    expect(ended.filter((end) => end.startsWith("mcp-"))).toHaveLength(8);
    expect(ended.filter((end) => end === "instance-limit")).toHaveLength(32);
    expect([most, (await agents()).length]).toEqual([8, 8]);
    expect(machine.files.list(`${place.lockDirectory}/holdings/reservations`)).toEqual([]);
    await Promise.all(holders.map((holder) => holder.kill()));
  }, 120_000);

  it("X-18 lets exactly one of two sessions adopt an orphan, 50 times", async () => {
    const name = await stamped({}, true);
    const racers = [session(), session()];
    for (let round = 0; round < 50; round += 1) {
      const ended = await Promise.allSettled(racers.map((racer) => racer.adopt(name, gently)));
      expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = ended.find((end) => end.status === "rejected");
      expect(lost?.reason).toMatchObject({ code: "instance-held" });
      const winner = racers[ended.findIndex(({ status }) => status === "fulfilled")];
      expect((await stampOf(name)).session).toBe(winner?.session);
      await restamp(name, { session: dead });
    }
  }, 120_000);

  it("X-40 lets either the sweep or an adopter win an orphan, 50 times, and destroys no adopted one", async () => {
    const [ada, sweeper] = [session(), session()];
    const won = { sweep: 0, adopt: 0 };
    for (let round = 0; round < 50; round += 1) {
      const name = await stamped({ orphaned: longAgo(25) });
      const sweeping = sweeper.sweep(dayLimits);
      await machine.clock.sleep(round % 25);
      const adopted = await ada.adopt(name, gently).then(
        () => true,
        ({ code }: { code: string }) => {
          expect(["instance-destroying", "instance-unknown"]).toContain(code);
          return false;
        },
      );
      const swept = (await sweeping)?.find(({ instance }) => instance === name)?.did;
      expect(swept === "destroyed").toBe(!adopted);
      won[adopted ? "adopt" : "sweep"] += 1;
      if (adopted) expect(await ada.require(name)).toMatchObject({ status: "Running" });
      await discardAll();
    }
    expect(won.sweep).toBeGreaterThan(0);
    expect(won.adopt).toBeGreaterThan(0);
  }, 240_000);

  it("X-40 leaves an orphan past its grace while a person is in it, and destroys it once they left", async () => {
    const name = await stamped({}, true);
    await world.guest.waitForBoot(name, { timeoutMs: 20_000 });
    expect(await session().sweep(dayLimits)).toMatchObject([
      { did: "left", why: "within orphan-grace-hours" },
    ]);
    const later = session({ aheadMs: 25 * hourMs });
    const terminal = await world.incus.openTerminal(name, {
      ...{ command: ["bash", "-c", "echo in; read line"], columns: 80, rows: 24, onOutput: () => {} },
    });
    expect(await later.sweep(dayLimits)).toMatchObject([{ did: "left", why: "a person is in it" }]);
    terminal.hangUp();
    await terminal.ended;
    expect(await later.sweep(dayLimits)).toMatchObject([{ did: "destroyed" }]);
    expect(later.acts).toEqual([`destroy ${name}`]);
    expect(await agents()).toEqual([]);
  }, 60_000);

  it("X-40 stops what is quiet as dormant, starts it again for an adopter, and destroys what nobody adopts", async () => {
    const presence = async () => ({
      attended: false,
      workingAgents: ["t1"],
      lastAgentActivityAt: undefined,
      now: 0,
    });
    const names = [
      await stamped({ orphaned: longAgo(30) }, true),
      await stamped({ orphaned: longAgo(30) }, true),
    ];
    const at = (hours: number) => session({ presence, aheadMs: hours * hourMs });
    const dids = async (hours: number) => (await at(hours).sweep(dayLimits))?.map(({ did }) => did);
    expect(await dids(0)).toEqual(["left", "left"]);
    expect(await dids(24)).toEqual(["stopped", "stopped"]);
    const [adopted = "", left = ""] = names;
    const ada = session();
    await ada.adopt(adopted, gently);
    expect(await ada.require(adopted)).toMatchObject({ status: "Running" });
    expect(await dids(24 + 167)).toEqual(["left", "left"]);
    expect(await dids(24 + 169)).toEqual(["left", "destroyed"]);
    expect((await agents()).map(({ name }) => name)).toEqual([adopted]);
    expect(left).not.toBe(adopted);
  }, 60_000);

  it("X-83 X-87 takes up an instance that a cut-off stop left half shut down: Incus takes no change of it until it is forced", async () => {
    const ada = session();
    const halfDown = async (stamp: Parameters<typeof stamped>[0]) => {
      const name = await stamped(stamp, true);
      // Sent at once, it is lost on a systemd that does not listen yet.
      expect(await world.incus.instances.stop(name, { graceS: 1 })).toBe(false);
      return name;
    };
    const mine = await halfDown({ session: ada.session });
    expect(await ada.stop(mine, { force: false })).toMatchObject({ already: false });
    expect(await ada.require(mine)).toMatchObject({ status: "Stopped" });
    const orphan = await halfDown({});
    await ada.adopt(orphan, gently);
    expect(await ada.require(orphan)).toMatchObject({ status: "Running" });
    const leftover = await halfDown({ state: "stopping", orphaned: longAgo(1), dormant: longAgo(0) });
    expect(await session().sweep(dayLimits)).toMatchObject([{}, {}, { did: "left" }]);
    expect(await stampOf(leftover)).toMatchObject({ state: "ready" });
  }, 90_000);

  it("X-86 sees, counts, adopts and sweeps nothing of another host user of the same Incus", async () => {
    const theirs = await stamped({ mcpOwner: "4294967294:other", orphaned: longAgo(1000) });
    const before = await world.incus.instances.get(theirs);
    const ada = session();
    expect(await ada.list()).toEqual([]);
    expect(await ada.sweep({ orphanGraceHours: 0, dormantAfterHours: 0, dormantGraceHours: 0 })).toEqual([]);
    await expect(ada.adopt(theirs, { ...gently, force: true })).rejects.toMatchObject({
      code: "instance-foreign",
    });
    await ada.create({ template: "tpl-ready", hint: "", purpose: "", client: "", limits: allApproved(1) });
    expect(await world.incus.instances.get(theirs)).toEqual(before);
    await world.discard(theirs);
  }, 60_000);

  // What happens around the kill is random; each verb is cut off at four moments of its usual time.
  it.each([
    ["create", 900],
    ["fork", 900],
    ["adopt", 700],
    ["keep", 24],
    ["destroy", 700],
    ["sweep", 900],
  ])(
    "X-83 a session killed in the middle of %s leaves nothing that the next start does not put right",
    async (verb, ms) => {
      const theirs = await stamped({ mcpOwner: "4294967294:other", state: "creating", session: dead });
      const foreign = await world.incus.instances.get(theirs);
      for (const share of [0.02, 0.2, 0.5, 0.8]) {
        const holder = await program.start(place);
        const subject = await subjectOf(verb, holder.session);
        holder.begin(`${verb} ${subject}`);
        await machine.clock.sleep(ms * (share + Math.random() * 0.15));
        await holder.kill();
        const next = openHoldings(place, machine);
        await next.sweep(dayLimits);
        await requireSettled(next, holder.session);
        next.incus.close();
        await discardAll();
      }
      expect(await world.incus.instances.get(theirs)).toEqual(foreign);
      await world.discard(theirs);
    },
    120_000,
  );

  /** Makes what the verb is about. */
  async function subjectOf(verb: string, holder: string): Promise<string> {
    if (verb === "create") return "";
    if (verb === "fork") return stamped({ session: holder });
    if (verb === "adopt") return stamped({ orphaned: longAgo(1) });
    if (verb !== "sweep") return stamped({ session: holder }, true);
    const then = new Date(machine.clock.now() - 48 * hourMs).toISOString();
    return stamped({ orphaned: longAgo(50), cpuSample: `${then} 0 ${then}` }, true);
  }

  /** Everything is whole, counted and an orphan with its grace begun, or the person's. */
  async function requireSettled(next: ReturnType<typeof openHoldings>, killed: string): Promise<void> {
    const left = await agents();
    for (const { name, config, status } of left) {
      const stamp = readStamp(config);
      expect([name, stamp.state, ["Running", "Stopped"].includes(status)]).toEqual([name, "ready", true]);
      expect([killed, dead]).toContain(stamp.session);
      expect(stamp.kept !== undefined || stamp.orphaned?.endsWith(` ${stamp.session}`)).toBe(true);
    }
    const unkept = left.filter(({ config }) => readStamp(config).kept === undefined);
    expect((await next.list()).map(({ name }) => name)).toEqual(unkept.map(({ name }) => name));
    const room = {
      ...{ template: "tpl-ready", hint: "", purpose: "", client: "" },
      limits: allApproved(unkept.length),
    };
    await expect(next.create(room)).rejects.toMatchObject({
      details: { orphaned: unkept.length, held: 0, mine: 0 },
    });
    expect(machine.files.list(`${place.lockDirectory}/holdings/reservations`)).toEqual([]);
    expect(processSession(machine.processTable)).toBe(next.session);
  }
});
