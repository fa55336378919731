import { type Failure, renderFailure } from "@agent-control/base";
import { expect, it } from "vitest";
import { taskSeen } from "./holding-ports.ts";
import { directory, type HoldingsWorld, holdingsWorld, limits, type TestSession } from "./holdings-world.ts";

const plain = { hint: undefined, purpose: undefined, client: "claude-code", limits };
const gently = { force: false, client: "claude-code", limits };
const byForce = { ...gently, force: true };

/** The code of the Failure that a call ends with; its sentences are checked on the way. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const failure = await call.then(
    () => undefined,
    (error: Failure) => error,
  );
  if (failure === undefined) return "nothing";
  expect(renderFailure(failure)).toMatch(/^[^.]+.*\. [A-Z].*\.$/s);
  return failure.code;
}

const grant = "a".repeat(32);

/** A coordinator of the name "coord" with its session. */
async function coordinatorIn(world: HoldingsWorld): Promise<TestSession> {
  await world.incus.instances.create({ name: "coord", source: { type: "image", alias: "base" } });
  await world.write("coord", { grant });
  return world.session({ session: `instance:coord:${grant}` });
}

async function stopped(session: TestSession, name: string): Promise<void> {
  await session.stop(name, { force: false });
}

it("X-13 stamps the copy request itself with owner, session, purpose and client, and what the template carried is gone", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  let first: unknown;
  world.incus.intercept(async ({ name, phase, subject }) => {
    if (name === "instances.create" && phase === "during") first = await world.stamp(subject);
  });
  const made = await ada.create({ ...plain, template: "tpl-dev", purpose: "#870 implement" });
  const whole = {
    mcpOwner: "1000:ada",
    session: ada.session,
    purpose: "#870 implement",
    client: "claude-code",
    type: "branch",
    profile: "tpl-dev",
    parent: "tpl-dev",
    workdir: "/home/agentuser/work",
  };
  expect(first).toEqual({ ...whole, state: "creating", counter: "1" });
  expect(await world.stamp(made.name)).toEqual({ ...whole, state: "ready", counter: "2" });
  expect(made).toMatchObject({ template: "tpl-dev", forkedFrom: undefined, address: "10.0.0.9" });
});

it("X-13 knows what it holds and refuses each other case in its own words", async () => {
  const world = await holdingsWorld();
  const [ada, other, dead, bob] = [
    world.session(),
    world.session(),
    world.session(),
    world.session({ owner: "1001:bob" }),
  ];
  const mine = await ada.make({ purpose: "mine" });
  expect(await ada.require(mine)).toEqual({
    name: mine,
    template: "tpl-dev",
    purpose: "mine",
    status: "Running",
    workdir: "/home/agentuser/work",
    kept: false,
  });
  const [held, orphan, kept, half, going] = [
    await other.make(),
    await dead.make(),
    await other.make(),
    await ada.make(),
    await ada.make(),
  ];
  const foreign = await bob.make();
  await other.keep(kept);
  await world.write(half, { state: "creating" });
  await world.write(going, { state: "destroying" });
  dead.kill();
  const codes = [held, orphan, kept, half, going, foreign, "tpl-dev", "mcp-none-aaaaa", "../etc", ""].map(
    (name) => refusal(ada.require(name)),
  );
  expect(await Promise.all(codes)).toEqual([
    "instance-held",
    "instance-orphaned",
    "instance-kept",
    "instance-creating",
    "instance-destroying",
    "instance-foreign",
    "instance-foreign",
    "instance-unknown",
    "instance-unknown",
    "instance-unknown",
  ]);
});

it("X-14 makes nothing of a template that is not approved, not there, not built or built from a project's own definitions", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const any = { ...plain, limits: { maxInstances: 8, isApproved: () => true } };
  const before = world.incus.calls.length;
  expect(await refusal(ada.create({ ...plain, template: "secret" }))).toBe("template-not-approved");
  expect(await refusal(ada.create({ ...plain, template: "tpl-nowhere" }))).toBe("template-unknown");
  expect(await refusal(ada.create({ ...plain, template: "tpl-unbuilt" }))).toBe("template-not-built");
  expect(await refusal(ada.create({ ...any, template: "secret" }))).toBe("template-project-local");
  expect(world.incus.calls.slice(before)).toEqual([]);
});

it("X-14 forks a stopped instance of its own: its own stamps, no task records, no keep", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const source = await ada.make({ purpose: "prepare", hint: "base" });
  world.tasks.set(source, [{ id: "t1", kind: "command", seen: taskSeen("finished") }]);
  expect(await refusal(ada.fork({ ...plain, source }))).toBe("instance-not-stopped");
  await ada.keep(source);
  await stopped(ada, source);
  const made = await ada.fork({ ...plain, source, purpose: "try", hint: "try" });
  world.tasks.set(made.name, []);
  expect(made).toMatchObject({ template: "tpl-dev", forkedFrom: source });
  expect(made.name).toMatch(/^mcp-dev-try-[a-z2-7]{5}$/);
  expect(await world.stamp(made.name)).toEqual({
    ...{ mcpOwner: "1000:ada", session: ada.session, client: "claude-code", purpose: "try", state: "ready" },
    ...{ type: "branch", profile: "tpl-dev", parent: source, workdir: "/home/agentuser/work", counter: "2" },
  });
});

it("X-14 forks nothing of another session or of a template whose approval was withdrawn", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  const [mine, theirs] = [await ada.make(), await other.make()];
  await stopped(ada, mine);
  await stopped(other, theirs);
  expect(await refusal(ada.fork({ ...plain, source: theirs }))).toBe("instance-held");
  const none = { maxInstances: 8, isApproved: () => false };
  expect(await refusal(ada.fork({ ...plain, source: mine, limits: none }))).toBe("template-not-approved");
});

it("X-14 leaves no fork whose task records could not be cleared", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const source = await ada.make();
  await stopped(ada, source);
  world.failing.add("clearTasks");
  expect(await refusal(ada.fork({ ...plain, source }))).toBe("guest-unavailable");
  expect(await world.names()).toEqual([source]);
  expect(world.files.list(`${directory}/reservations`)).toEqual([]);
});

it("X-14 leaves nothing of a creation that fails or is cancelled at any step", async () => {
  for (const [call, phase] of [
    ["instances.create", "during"],
    ["instances.create", "after"],
    ["instances.change", "before"],
    ["instances.change", "after"],
  ] as const) {
    const world = await holdingsWorld();
    const ada = world.session();
    let failed = false;
    world.incus.intercept((seen) => {
      if (failed || seen.name !== call || seen.phase !== phase) return;
      failed = true;
      throw Object.assign(new Error("broken"), { name: "AbortError" });
    });
    await expect(ada.make()).rejects.toThrow();
    expect([failed, await world.names()]).toEqual([true, []]);
    expect(world.files.list(`${directory}/reservations`)).toEqual([]);
  }
});

it("X-13 says which half-made instance is left when even its removal fails, and destroy_instance ends it", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const end = world.incus.intercept(({ name, phase }) => {
    if (name === "instances.change" && phase === "before") world.incus.setAway("ECONNREFUSED");
  });
  const failure = await ada.make().catch((error: Failure) => error);
  end();
  world.incus.setAway(undefined);
  const [left = ""] = await world.names();
  expect(failure).toMatchObject({
    outcome: "unavailable",
    next: expect.stringContaining(`destroy_instance on ${left}`),
  });
  expect(await ada.destroy(left)).toEqual({ already: false });
  expect(await world.names()).toEqual([]);
});

it("X-15 refuses with the counts once max-instances are there, in whatever state they are; kept ones never count", async () => {
  const world = await holdingsWorld();
  const [ada, other, dead, bob] = [
    world.session(),
    world.session(),
    world.session(),
    world.session({ owner: "1001:bob" }),
  ];
  const three = { ...limits, maxInstances: 3 };
  const mine = await ada.make();
  await stopped(ada, mine);
  await ada.keep(await ada.make());
  await other.make();
  await dead.make();
  await bob.make();
  dead.kill();
  await expect(ada.make({ limits: three })).rejects.toMatchObject({
    code: "instance-limit",
    outcome: "refused",
    message: "max-instances is 3 and 3 are in use: 1 of this session, 1 of other sessions, 1 orphaned",
    details: { max_instances: 3, mine: 1, held: 1, orphaned: 1 },
  });
  await expect(ada.make({ limits: { ...limits, maxInstances: 0 } })).rejects.toMatchObject({
    code: "instance-limit",
  });
  await ada.destroy(mine);
  await ada.make({ limits: three });
  await bob.make({ limits: { ...limits, maxInstances: 2 } });
});

it("X-15 never passes the limit with 20 creations at once in two sessions", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  let most = 0;
  world.incus.intercept(async ({ phase }) => {
    if (phase === "during") most = Math.max(most, (await world.names()).length);
  });
  const asked = Array.from({ length: 20 }, (_, index) => refusal((index % 2 ? ada : other).make()));
  const codes = await Promise.all(asked);
  expect(codes.filter((code) => code === "nothing")).toHaveLength(8);
  expect(codes.filter((code) => code === "instance-limit")).toHaveLength(12);
  expect([most, (await world.names()).length]).toEqual([8, 8]);
});

it("X-15 counts what a live session has reserved and not what a dead one had", async () => {
  const world = await holdingsWorld();
  const [ada, dead] = [world.session(), world.session()];
  const one = { ...limits, maxInstances: 1 };
  world.files.makeDirectory(`${directory}/reservations`);
  const path = `${directory}/reservations/mcp-dev-aaaaa.json`;
  world.files.write(path, JSON.stringify({ schema: 1, session: dead.session }));
  await expect(ada.make({ limits: one })).rejects.toMatchObject({ details: { held: 1 } });
  dead.kill();
  await ada.make({ limits: one });
  expect(world.files.look(path)).toBeUndefined();
});

it("X-15 counts an instance whose reservation goes while the count is taken", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  const path = `${directory}/reservations/mcp-dev-aaaaa.json`;
  world.files.makeDirectory(`${directory}/reservations`);
  world.files.write(path, JSON.stringify({ schema: 1, session: other.session }));
  const end = world.incus.intercept(({ name, phase }) => {
    // The listing was made before the other's instance was there.
    if (name === "instances.list" && phase === "after") world.files.remove(path);
  });
  expect(await refusal(ada.make({ limits: { ...limits, maxInstances: 1 } }))).toBe("instance-limit");
  end();
});

it("X-15 refuses to count with a reservation that it cannot read", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  world.files.makeDirectory(`${directory}/reservations`);
  world.files.place(`${directory}/reservations/mcp-dev-aaaaa.json`, "fifo");
  expect(await refusal(ada.make())).toBe("reservation-damaged");
  world.files.remove(`${directory}/reservations/mcp-dev-aaaaa.json`);
  world.files.write(`${directory}/reservations/mcp-dev-aaaaa.json`, "{");
  expect(await refusal(ada.make())).toBe("reservation-damaged");
});

it("X-17 stops and starts, both twice, and asks the person about any other status", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const name = await ada.make();
  expect(await ada.stop(name, { force: false })).toEqual({
    already: false,
    forced: false,
    cancelledTasks: [],
  });
  expect(await ada.stop(name, { force: false })).toEqual({
    already: true,
    forced: false,
    cancelledTasks: [],
  });
  expect(await ada.start(name)).toEqual({ already: false, tasks: [], warning: undefined });
  expect(await ada.start(name)).toEqual({ already: true, tasks: [], warning: undefined });
  world.incus.set(name, { status: "Frozen" });
  expect(await refusal(ada.stop(name, { force: true }))).toBe("instance-status");
  expect(await refusal(ada.start(name))).toBe("instance-status");
});

it("X-17 stops by force what does not boot, and says so", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const name = await ada.make();
  world.unbootable.add(name);
  expect(await ada.stop(name, { force: false })).toMatchObject({ forced: true });
});

it("X-17 refuses to stop while a task runs or is unknown, unless forced, which cancels it", async () => {
  const world = await holdingsWorld();
  const [dead, ada] = [world.session(), world.session()];
  const name = await dead.make();
  dead.kill();
  world.tasks.set(name, [
    { id: "t1", kind: "command", seen: taskSeen("running") },
    { id: "t2", kind: "agent", seen: taskSeen("unknown") },
    { id: "t3", kind: "command", seen: taskSeen("finished") },
  ]);
  await ada.adopt(name, gently);
  await expect(ada.stop(name, { force: false })).rejects.toMatchObject({
    code: "instance-busy",
    message: expect.stringContaining("t1, t2"),
  });
  expect(await ada.stop(name, { force: true })).toEqual({
    already: false,
    forced: false,
    cancelledTasks: ["t1", "t2"],
  });
});

it("X-17 destroys twice, and nothing that others hold, that is being made, or that the person was given", async () => {
  const world = await holdingsWorld();
  const [ada, other, dead, bob] = [
    world.session(),
    world.session(),
    world.session(),
    world.session({ owner: "1001:bob" }),
  ];
  const mine = await ada.make();
  const not = [await other.make(), await dead.make(), await bob.make(), "tpl-dev"];
  dead.kill();
  expect(await ada.destroy(mine)).toEqual({ already: false });
  expect(await ada.destroy(mine)).toEqual({ already: true });
  const kept = await ada.make();
  await ada.keep(kept);
  const codes = await Promise.all([...not, kept].map((name) => refusal(ada.destroy(name))));
  expect(codes).toEqual([
    ...["instance-held", "instance-orphaned", "instance-foreign", "instance-foreign", "instance-kept"],
  ]);
  let early: Promise<string> | undefined;
  world.incus.intercept(({ name, phase, subject }) => {
    if (name === "instances.create" && phase === "during") early = refusal(ada.destroy(subject));
  });
  await ada.make();
  expect(await early).toBe("instance-creating");
});

it("X-13 stamps an instance before it is stopped and deleted, and can finish what was cut off", async () => {
  const world = await holdingsWorld();
  const ada = world.session();
  const name = await ada.make();
  const end = world.incus.intercept(({ name: call, phase }) => {
    if (call === "instances.delete" && phase === "before") world.incus.setAway("ECONNREFUSED");
  });
  expect(await refusal(ada.destroy(name))).toMatch(/^incus-/);
  end();
  world.incus.setAway(undefined);
  expect((await world.stamp(name)).state).toBe("destroying");
  expect(await ada.list()).toMatchObject([{ name, state: "destroying" }]);
  expect(await refusal(ada.adopt(name, byForce))).toBe("instance-destroying");
  expect(await ada.destroy(name)).toEqual({ already: false });
});

it("X-17 keeps an instance for the person: this session uses it on, no other may, it is not counted or listed to them", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  const name = await ada.make();
  await ada.keep(name);
  const { kept } = await world.stamp(name);
  await ada.keep(name);
  expect((await world.stamp(name)).kept).toBe(kept);
  expect(await ada.require(name)).toMatchObject({ kept: true });
  expect(await ada.list()).toMatchObject([{ name, kept: true, state: "ready" }]);
  expect(await other.list()).toEqual([]);
  expect(await refusal(other.adopt(name, byForce))).toBe("instance-kept");
  await ada.release();
  ada.kill();
  expect(await refusal(other.adopt(name, byForce))).toBe("instance-kept");
  expect(await other.list()).toEqual([]);
});

it("X-18 lists holders, orphans and dormancy; a mark that names another session than the holder does not count", async () => {
  const world = await holdingsWorld();
  const [ada, other, dead] = [world.session(), world.session(), world.session()];
  const mine = await ada.make({ purpose: "#870\u001b[31m implement" });
  const held = await other.make();
  const orphan = await dead.make();
  const asleep = await dead.make();
  dead.kill();
  const at = "2026-03-01T12:00:00.000Z";
  await world.write(mine, { orphaned: `${at} ${other.session}` });
  await world.write(asleep, { orphaned: `${at} ${dead.session}`, dormant: `${at} ${dead.session}` });
  const listed = await ada.list();
  expect(listed.map(({ name }) => name)).toEqual([mine, held, orphan, asleep]);
  expect(listed).toMatchObject([
    {
      state: "ready",
      purpose: "#870 implement",
      heldBy: undefined,
      orphanedSince: undefined,
      status: "Running",
    },
    { state: "held", heldBy: other.session, heldByClient: "test", tasks: [] },
    { state: "orphaned", heldBy: undefined, orphanedSince: undefined },
    { state: "orphaned", orphanedSince: at, dormantSince: at },
  ]);
});

it("X-86 shows, counts, adopts and destroys nothing of another host user", async () => {
  const world = await holdingsWorld();
  const [ada, bob] = [world.session(), world.session({ owner: "1001:bob" })];
  const name = await ada.make();
  ada.kill();
  expect(await bob.list()).toEqual([]);
  expect(await refusal(bob.adopt(name, byForce))).toBe("instance-foreign");
  expect(await refusal(bob.keep(name))).toBe("instance-foreign");
  expect(await refusal(bob.stop(name, { force: true }))).toBe("instance-foreign");
  await bob.make({ limits: { ...limits, maxInstances: 1 } });
  expect(
    await bob.sweep({ limits: { orphanGraceHours: 0, dormantAfterHours: 0, dormantGraceHours: 0 } }),
  ).toHaveLength(1);
  expect(await world.names()).toContain(name);
  expect((await world.stamp(name)).orphaned).toBeUndefined();
});

it("X-18 adopts an orphan with its tasks, twice, whether its session died or released it", async () => {
  const world = await holdingsWorld();
  const [dead, leaving, ada] = [world.session(), world.session(), world.session()];
  const [left, released] = [await dead.make({ purpose: "go on" }), await leaving.make()];
  world.tasks.set(left, [{ id: "t1", kind: "command", seen: taskSeen("running") }]);
  dead.kill();
  await leaving.release();
  expect((await world.stamp(released)).orphaned).toMatch(new RegExp(`^20.*Z ${leaving.session}$`));
  const adopted = { name: left, template: "tpl-dev", purpose: "go on", tasks: ["t1"], warning: undefined };
  expect(await ada.adopt(left, gently)).toEqual(adopted);
  expect(await ada.adopt(left, gently)).toEqual(adopted);
  await ada.adopt(released, gently);
  const stamp = await world.stamp(released);
  expect(stamp).toMatchObject({ session: ada.session, client: "claude-code", state: "ready" });
  expect(stamp.orphaned).toBeUndefined();
  expect(await refusal(leaving.require(released))).toBe("instance-held");
});

it("X-18 takes from a live session only by force, from a living coordinator never", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  const coordinator = await coordinatorIn(world);
  const [held, coordinated] = [await other.make(), await coordinator.make()];
  coordinator.kill();
  expect(await refusal(ada.adopt(held, gently))).toBe("instance-held");
  expect(await ada.adopt(held, byForce)).toMatchObject({ name: held });
  expect(await refusal(ada.adopt(coordinated, byForce))).toBe("instance-coordinated");
  expect(await ada.list()).toMatchObject([{ name: held }, { name: coordinated, state: "held" }]);
  await world.write("coord", { network: "airgap" });
  expect(await ada.list()).toMatchObject([{ name: held }, { name: coordinated, state: "orphaned" }]);
  await ada.adopt(coordinated, gently);
});

it("X-08 adopts nothing of a template whose approval was withdrawn", async () => {
  const world = await holdingsWorld();
  const [dead, ada] = [world.session(), world.session()];
  const name = await dead.make();
  dead.kill();
  const none = { maxInstances: 8, isApproved: () => false };
  expect(await refusal(ada.adopt(name, { ...gently, limits: none }))).toBe("template-not-approved");
});

it("X-18 starts a stopped orphan; if that fails it is this session's all the same", async () => {
  const world = await holdingsWorld();
  const [dead, ada] = [world.session(), world.session()];
  const [wakes, sleeps] = [await dead.make(), await dead.make()];
  for (const name of [wakes, sleeps]) await stopped(dead, name);
  dead.kill();
  world.unbootable.add(sleeps);
  await ada.adopt(wakes, gently);
  expect(await ada.require(wakes)).toMatchObject({ status: "Running" });
  await expect(ada.adopt(sleeps, gently)).rejects.toMatchObject({
    outcome: "unavailable",
    code: "instance-not-started",
  });
  world.unbootable.delete(sleeps);
  expect(await ada.start(sleeps)).toMatchObject({ already: true });
});

it("X-18 adopts with a warning when the tasks cannot be read", async () => {
  const world = await holdingsWorld();
  const [dead, ada] = [world.session(), world.session()];
  const name = await dead.make();
  dead.kill();
  world.failing.add("listTasks");
  expect(await ada.adopt(name, gently)).toMatchObject({
    tasks: [],
    warning: expect.stringContaining("could not be read"),
  });
});

it("X-18 adopts neither what a dead session left half-made nor what is being made", async () => {
  const world = await holdingsWorld();
  const [dead, other, ada] = [world.session(), world.session(), world.session()];
  const [half, making] = [await dead.make(), await other.make()];
  await world.write(half, { state: "creating" });
  await world.write(making, { state: "creating" });
  dead.kill();
  expect(await refusal(ada.adopt(half, byForce))).toBe("instance-half-made");
  expect(await refusal(ada.adopt(making, byForce))).toBe("instance-creating");
});

it("X-13 releases only what is ready and its own, and a coordinator releases nothing", async () => {
  const world = await holdingsWorld();
  const [ada, other] = [world.session(), world.session()];
  const coordinator = await coordinatorIn(world);
  const [ready, half, theirs, coordinated] = [
    await ada.make(),
    await ada.make(),
    await other.make(),
    await coordinator.make(),
  ];
  await world.write(half, { state: "creating" });
  await ada.release();
  await coordinator.release();
  const marks = await Promise.all(
    [ready, half, theirs, coordinated].map(async (name) => (await world.stamp(name)).orphaned),
  );
  expect(marks.map((mark) => mark !== undefined)).toEqual([true, false, false, false]);
});
