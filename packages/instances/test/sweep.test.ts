import { Failure } from "@agent-control/base";
import { expect, it } from "vitest";
import { stampConfig } from "../src/stamp.ts";
import { sweepVerdict } from "../src/sweep-verdict.ts";
import {
  directory,
  type HoldingsWorld,
  holdingsWorld,
  hourMs,
  limits,
  orphanLimits,
  type TestSession,
} from "./holdings-world.ts";

const gently = { force: false, client: "claude-code", limits };
const busy = new Failure("error", { code: "instance-busy", message: "It is busy", next: "Wait" });
const working = { workingAgents: ["t1"] };

/** An instance whose session is dead, and a session that comes after it. */
async function orphanIn(
  world: HoldingsWorld,
): Promise<{ name: string; ada: TestSession; dead: TestSession }> {
  const dead = world.session();
  const name = await dead.make();
  dead.kill();
  return { name, dead, ada: world.session() };
}

async function sweepAfter(world: HoldingsWorld, hours: number, by = world.session()) {
  await world.clock.advance(hours * hourMs);
  const swept = await by.sweep();
  by.kill();
  return swept?.map(({ did, why }) => `${did}: ${why}`);
}

/** Sweeps that find an agent at work, then still, until it is stopped as dormant. */
async function dormantIn(world: HoldingsWorld, name: string): Promise<void> {
  world.presence.set(name, working);
  await sweepAfter(world, 0);
  await sweepAfter(world, 24);
  expect(await sweepAfter(world, 24)).toEqual([
    "stopped: its agent showed no activity for dormant-after-hours",
  ]);
}

it("X-40 lets the grace begin with the first sweep that sees the holder dead, and destroys after it", async () => {
  const world = await holdingsWorld();
  const { name, dead } = await orphanIn(world);
  expect(await sweepAfter(world, 100)).toEqual(["left: within orphan-grace-hours"]);
  expect((await world.stamp(name)).orphaned).toMatch(new RegExp(` ${dead.session}$`));
  expect(await sweepAfter(world, 23.9)).toEqual(["left: within orphan-grace-hours"]);
  expect(world.acts).toEqual([]);
  expect(await sweepAfter(world, 0.2)).toEqual([
    "destroyed: an orphan past orphan-grace-hours that nobody uses",
  ]);
  expect(world.acts).toEqual([`destroy ${name}`]);
  expect(await world.names()).toEqual([]);
});

it("X-40 lets the grace begin with the release, also while the releasing process still runs", async () => {
  const world = await holdingsWorld();
  const leaving = world.session();
  const name = await leaving.make();
  await leaving.release();
  expect(await sweepAfter(world, 23)).toEqual(["left: within orphan-grace-hours"]);
  expect(await sweepAfter(world, 1)).toMatchObject([expect.stringMatching(/^destroyed/)]);
  expect(await world.names()).not.toContain(name);
});

it("X-40 touches nothing that lives, is kept, or is another user's, however old it is", async () => {
  const world = await holdingsWorld();
  const [living, dead, bob] = [world.session(), world.session(), world.session({ owner: "1001:bob" })];
  const names = [await living.make(), await dead.make(), await bob.make()];
  await dead.keep(names[1] ?? "");
  dead.kill();
  bob.kill();
  await sweepAfter(world, 1000);
  expect(await sweepAfter(world, 1000)).toEqual(["left: its session lives", "left: given to the person"]);
  expect(await world.names()).toEqual(names);
  expect(world.acts).toEqual([]);
});

it("X-86 finds nothing to do with what became another user's after it was listed", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  const seen = await world.incus.instances.get(name);
  if (seen === undefined) throw new Error("it was made");
  const view = { isAlive: () => false, nowMs: world.clock.now(), limits: orphanLimits };
  expect(sweepVerdict(seen, { ...view, owner: "1000:ada" })).toEqual({ do: "mark" });
  expect(sweepVerdict(seen, { ...view, owner: "1001:bob" })).toMatchObject({ do: "leave" });
});

it("X-40 with no hours of grace destroys in the sweep that sees the holder dead", async () => {
  const world = await holdingsWorld();
  const { ada } = await orphanIn(world);
  const none = { orphanGraceHours: 0, dormantAfterHours: 0, dormantGraceHours: 0 };
  expect(await ada.sweep({ limits: none })).toMatchObject([{ did: "destroyed" }]);
});

it("X-40 leaves what a person is in, where an agent works, and what does not answer", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  await sweepAfter(world, 0);
  await world.clock.advance(25 * hourMs);
  world.presence.set(name, { attended: true });
  expect(await sweepAfter(world, 0)).toEqual(["left: a person is in it"]);
  world.presence.set(name, working);
  expect(await sweepAfter(world, 0)).toEqual(["left: an agent works in it"]);
  world.presence.set(name, undefined);
  expect(await sweepAfter(world, 0)).toEqual(["left: its guest did not answer"]);
  world.failing.add("presence");
  expect(await sweepAfter(world, 0)).toEqual(["left: its guest did not answer"]);
  world.incus.set(name, { status: "Frozen" });
  expect(await sweepAfter(world, 0)).toEqual(["left: its status is Frozen"]);
  expect(world.acts).toEqual([]);
});

it("X-40 destroys a stopped orphan after its grace without asking a guest", async () => {
  const world = await holdingsWorld();
  const dead = world.session();
  const name = await dead.make();
  await dead.stop(name, { force: false });
  dead.kill();
  world.failing.add("presence");
  await sweepAfter(world, 0);
  expect(await sweepAfter(world, 24)).toEqual(["destroyed: an orphan past orphan-grace-hours"]);
});

it("X-40 stops an orphan whose agent is quiet, and destroys it dormant-grace-hours later", async () => {
  const world = await holdingsWorld();
  const { name, dead } = await orphanIn(world);
  await dormantIn(world, name);
  expect((await world.incus.instances.get(name))?.status).toBe("Stopped");
  expect(await world.stamp(name)).toMatchObject({
    state: "ready",
    dormant: expect.stringContaining(dead.session),
  });
  expect(await sweepAfter(world, 167)).toEqual(["left: within dormant-grace-hours"]);
  expect(await sweepAfter(world, 1)).toEqual(["destroyed: dormant past dormant-grace-hours"]);
  expect(world.acts).toEqual([`stop-dormant ${name}`, `destroy ${name}`]);
});

it("X-40 does not take for quiet what uses its processor or writes its agent's files", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  world.presence.set(name, working);
  await sweepAfter(world, 0);
  await sweepAfter(world, 24);
  world.incus.set(name, { cpuNs: 24 * 36e9 });
  expect(await sweepAfter(world, 24)).toEqual(["left: an agent works in it"]);
  world.presence.set(name, { ...working, now: 500 * hourMs, lastAgentActivityAt: 477 * hourMs });
  expect(await sweepAfter(world, 24)).toEqual(["left: an agent works in it"]);
  world.presence.set(name, { ...working, now: 501 * hourMs, lastAgentActivityAt: 477 * hourMs });
  expect(await sweepAfter(world, 1)).toMatchObject([expect.stringMatching(/^stopped/)]);
});

it("X-40 takes the dormant stamp back when the stop fails", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  world.presence.set(name, working);
  await sweepAfter(world, 0);
  await sweepAfter(world, 24);
  let during: unknown;
  const end = world.incus.intercept(async ({ name: call, phase }) => {
    if (call !== "instances.stop" || phase !== "before") return;
    during = await world.stamp(name);
    throw Object.assign(new Error("no"), { name: "AbortError" });
  });
  await expect(sweepAfter(world, 24)).rejects.toThrow();
  end();
  expect(during).toMatchObject({ state: "stopping", dormant: expect.any(String) });
  const stamp = await world.stamp(name);
  expect([stamp.state, stamp.dormant]).toEqual(["ready", undefined]);
});

it("X-83 clears the stamp of a dormant stop that was cut off before or after the stop", async () => {
  for (const isStopped of [false, true]) {
    const world = await holdingsWorld();
    const { name, dead } = await orphanIn(world);
    await sweepAfter(world, 0);
    await world.clock.advance(25 * hourMs);
    const now = new Date(world.clock.now()).toISOString();
    await world.write(name, { state: "stopping", dormant: `${now} ${dead.session}` });
    if (isStopped) await world.incus.instances.stop(name, { force: true });
    world.presence.set(name, { attended: true });
    expect(await sweepAfter(world, 0)).toEqual([
      isStopped ? "left: within dormant-grace-hours" : "left: a person is in it",
    ]);
    const stamp = await world.stamp(name);
    expect([stamp.state, stamp.dormant !== undefined]).toEqual(["ready", isStopped]);
  }
});

it("X-83 finishes at once what a dead session was destroying or creating, and leaves a living one's alone", async () => {
  const world = await holdingsWorld();
  const [dead, living] = [world.session(), world.session()];
  for (const session of [dead, living]) {
    for (const state of ["creating", "destroying"]) await world.write(await session.make(), { state });
  }
  dead.kill();
  expect(await sweepAfter(world, 0)).toEqual([
    ...["destroyed: its creation was cut off", "destroyed: its destruction was cut off"],
    ...["left: its session lives", "left: its session lives"],
  ]);
});

it("X-83 waits for a copy that the daemon still makes for a dead session, then destroys it", async () => {
  const world = await holdingsWorld();
  const [dead, ada] = [world.session(), world.session()];
  dead.kill();
  let sweeping: Promise<unknown> | undefined;
  world.incus.intercept(async ({ phase }) => {
    if (phase !== "during") return;
    sweeping = ada.sweep();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  });
  await world.incus.instances.create({
    name: "mcp-dev-aaaaa",
    source: { type: "copy", instance: "tpl-dev" },
    config: stampConfig({ mcpOwner: "1000:ada", session: dead.session, state: "creating", kept: undefined }),
  });
  expect(await sweeping).toMatchObject([{ did: "destroyed", why: "its creation was cut off" }]);
  expect(await world.names()).toEqual([]);
});

it("X-83 ends by force what a cut-off stop left half shut down, which Incus lets nobody change otherwise", async () => {
  for (const state of ["ready", "stopping", "destroying"]) {
    const world = await holdingsWorld();
    const { name, ada } = await orphanIn(world);
    await world.write(name, { state });
    const end = world.incus.intercept(({ name: call, phase }) => {
      if (call === "instances.stop") end();
      if (call === "instances.change" && phase === "before") throw busy;
    });
    const swept = ada.sweep();
    for (let turn = 0; turn < 100; turn += 1) await world.clock.advance(1000);
    expect(await swept).toMatchObject([{ did: state === "destroying" ? "destroyed" : "left" }]);
    expect((await world.incus.instances.get(name))?.status).toBe(
      state === "destroying" ? undefined : "Stopped",
    );
    expect((await world.stamp(name)).orphaned !== undefined).toBe(state !== "destroying");
  }
});

it("X-40 leaves to its new holder what was adopted while the guest was asked, in every order", async () => {
  const world = await holdingsWorld();
  const { name, ada } = await orphanIn(world);
  const adopter = world.session();
  await sweepAfter(world, 0);
  await world.clock.advance(25 * hourMs);
  let adopting: Promise<unknown> | undefined;
  world.incus.intercept(({ name: call, phase }) => {
    if (call !== "instances.change" || phase !== "before" || adopting) return;
    adopting = adopter.adopt(name, gently);
    return adopting.then(() => {});
  });
  expect(await ada.sweep()).toMatchObject([{ did: "left", why: "it changed meanwhile" }]);
  expect(await adopter.require(name)).toMatchObject({ name });
});

it("X-40 adopts an orphan that is being stopped as dormant only when the stop is over, and starts it", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  const adopter = world.session();
  let adopting: Promise<unknown> | undefined;
  world.incus.intercept(async ({ name: call, phase }) => {
    if (call !== "instances.stop" || phase !== "before") return;
    adopting ??= adopter.adopt(name, gently);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  });
  await dormantIn(world, name);
  await adopting;
  const stamp = await world.stamp(name);
  expect(stamp).toMatchObject({ session: adopter.session, state: "ready" });
  expect([stamp.dormant, stamp.cpuSample]).toEqual([undefined, undefined]);
  expect(await adopter.require(name)).toMatchObject({ status: "Running" });
});

it("X-40 sweeps once at a time for a user, and for each user apart", async () => {
  const world = await holdingsWorld();
  const { ada } = await orphanIn(world);
  const second = world.session();
  const both = await Promise.all([ada.sweep(), second.sweep()]);
  expect(both.map((swept) => swept === undefined)).toEqual([false, true]);
});

it("X-40 goes on with the others when one instance fails, and says so", async () => {
  const world = await holdingsWorld();
  const { name } = await orphanIn(world);
  const { name: other } = await orphanIn(world);
  await sweepAfter(world, 0);
  world.incus.intercept(({ name: call, subject, phase }) => {
    if (call !== "instances.delete" || subject !== name || phase !== "before") return;
    world.incus.set(name, { status: "Running" });
  });
  const swept = await sweepAfter(world, 24);
  expect(swept?.map((line) => line.split(":")[0])).toEqual(["failed", "destroyed"]);
  expect(await world.names()).toEqual([name]);
  expect((await world.stamp(name)).state).toBe("destroying");
  expect(other).not.toBe(name);
});

it("X-40 ends when it is cancelled, leaving nothing between two states but what the next sweep finishes", async () => {
  const world = await holdingsWorld();
  const { name, ada } = await orphanIn(world);
  await sweepAfter(world, 0);
  await world.clock.advance(25 * hourMs);
  const stop = new AbortController();
  world.incus.intercept(({ name: call, phase }) => {
    if (call === "instances.change" && phase === "before") stop.abort();
  });
  const failure = await ada.sweep({ signal: stop.signal }).catch((error: Failure) => error);
  expect(failure).toMatchObject({ outcome: "cancelled" });
  expect(world.files.list(`${directory}/stops`)).toEqual([]);
  expect(await world.names()).toEqual([name]);
});
