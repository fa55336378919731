import { expect, it } from "vitest";
import { tasksWorld } from "./tasks-world.ts";

const command = { instance: "one", command: "make", maxConcurrentTasks: 3 };
const limited = { outcome: "refused", code: "task-limit" };

it("X-20 gives ids of a counter and letters that keep sessions apart", async () => {
  const world = tasksWorld();
  const [a, b] = [world.session("a"), world.session("b")];
  const first = await a.start(command);
  const second = await a.start(command);
  const other = await b.start(command);
  expect(first.id).toMatch(/^t1-[a-z2-7]{4}$/);
  expect(second.id).toBe(first.id.replace("t1", "t2"));
  expect(other.id.slice(2)).not.toBe(first.id.slice(2));
  expect(a.running()).toEqual([first.id, second.id]);
});

it("X-15 counts over sessions and names the counts in the refusal", async () => {
  const world = tasksWorld();
  const [a, b] = [world.session("a"), world.session("b")];
  await a.start(command);
  await a.start(command);
  await b.start({ ...command, instance: "two" });
  await expect(b.start(command)).rejects.toMatchObject({
    ...limited,
    details: { limit: 3, own: 1, others: 2 },
    message: expect.stringContaining("1 of this session and 2 of other sessions"),
  });
  expect(world.counted()).toBe(3);
});

it("X-15 a limit of 0 starts nothing", async () => {
  const world = tasksWorld();
  await expect(world.session("a").start({ ...command, maxConcurrentTasks: 0 })).rejects.toMatchObject(
    limited,
  );
  expect(world.calls).toEqual([]);
});

it("X-15 frees what the guests say is over before it refuses, with one probe per instance", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const ids = [
    await a.start(command),
    await a.start(command),
    await a.start({ ...command, instance: "two" }),
  ];
  world.kill("a");
  world.set(ids[1]?.id ?? "", "finished", 0);
  world.calls.length = 0;
  await world.session("b").start(command);
  expect(world.calls.filter((call) => call.startsWith("probe")).sort()).toEqual([
    "probe one 2",
    "probe two 1",
  ]);
  expect(world.counted()).toBe(3);
});

it.for([
  ["Stopped", 3],
  ["gone", 3],
  ["Frozen", 0],
] as const)("X-15 an instance that is %s frees %i of its three tasks", async ([status, freed]) => {
  const world = tasksWorld();
  const a = world.session("a");
  for (let n = 0; n < 3; n += 1) await a.start(command);
  world.down.set("one", status);
  const call = world.session("b").start({ ...command, instance: "two" });
  if (freed === 0) await expect(call).rejects.toMatchObject(limited);
  else await call;
  expect(world.counted()).toBe(freed === 0 ? 3 : 1);
});

it("X-15 a task whose state is unknown counts", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  world.set(id, "unknown");
  await expect(a.start({ ...command, maxConcurrentTasks: 1 })).rejects.toMatchObject(limited);
});

it("X-15 leaves the place of a task that is being launched alone while its launcher lives", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  const [file = ""] = world.files.list(world.directory).filter((name) => name.includes(id));
  const path = `${world.directory}/${file}`;
  const note = Buffer.from(world.files.read(path, 4096) ?? []).toString("utf8");
  world.files.write(path, note.replace('"launched":true', '"launched":false'));
  world.set(id, "lost");
  await expect(world.session("b").start({ ...command, maxConcurrentTasks: 1 })).rejects.toMatchObject(
    limited,
  );
  world.kill("a");
  await world.session("c").start({ ...command, maxConcurrentTasks: 1 });
});

it.for(["", "{", '{"schema":2}', "x".repeat(9000)])(
  "X-15 a ledger file that holds %j counts until its guest says the task is over",
  async (text) => {
    const world = tasksWorld();
    const a = world.session("a");
    const { id } = await a.start(command);
    world.files.write(`${world.directory}/one.${id}.json`, text);
    await expect(a.start({ ...command, maxConcurrentTasks: 1 })).rejects.toMatchObject(limited);
    world.set(id, "finished", 0);
    await a.start({ ...command, maxConcurrentTasks: 1 });
  },
);

it.for(["fifo", "directory", "symlink"] as const)(
  "X-15 a %s in the ledger counts and hangs nothing",
  async (kind) => {
    const world = tasksWorld();
    const a = world.session("a");
    const { id } = await a.start(command);
    world.files.place(`${world.directory}/one.${id}.json`, kind);
    await expect(a.start({ ...command, maxConcurrentTasks: 1 })).rejects.toMatchObject(limited);
  },
);

it("X-15 a launch that fails gives its place back and ends what may have begun", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  world.failStart("after");
  await expect(a.start(command)).rejects.toMatchObject({ code: "task-not-started" });
  expect(world.calls).toEqual([expect.stringMatching(/^start one t1-/), "cancel one 1"]);
  expect(world.counted()).toBe(0);
  expect(a.running()).toEqual([]);
});

it("X-15 a launch that can be neither finished nor undone goes on counting until its guest answers", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  world.down.set("one", "Frozen");
  await expect(a.start(command)).rejects.toMatchObject({ code: "instance-not-running" });
  expect(world.counted()).toBe(1);
  world.down.delete("one");
  await a.start({ ...command, maxConcurrentTasks: 1 });
  expect(world.counted()).toBe(1);
});

it("X-15 a cancelled start launches nothing", async () => {
  const world = tasksWorld();
  const signal = AbortSignal.abort();
  await expect(world.session("a").start({ ...command, signal })).rejects.toMatchObject({
    outcome: "cancelled",
  });
  expect(world.calls.filter((call) => call.startsWith("start"))).toEqual([]);
  expect(world.counted()).toBe(0);
});

it("X-15 a start that is cancelled while it launches is undone", async () => {
  const world = tasksWorld();
  const stop = new AbortController();
  let open = () => {};
  world.hold = new Promise((resolve) => {
    open = resolve;
  });
  const call = world.session("a").start({ ...command, signal: stop.signal });
  await expect.poll(() => world.calls.length).toBe(1);
  stop.abort();
  open();
  await expect(call).rejects.toMatchObject({ outcome: "cancelled" });
  expect(world.calls).toEqual([expect.stringMatching(/^start one/), "cancel one 1"]);
  expect(world.counted()).toBe(0);
});

it("X-21 refuses a task that is not this session's", async () => {
  const world = tasksWorld();
  const { id } = await world.session("a").start(command);
  const b = world.session("b");
  expect(() => b.require(id)).toThrow(/no task/);
  await expect(b.states([id])).rejects.toMatchObject({ outcome: "refused", code: "task-unknown" });
});

it("X-20 asks each instance once, and never again for a command that is over", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const ids: string[] = [];
  for (const instance of ["one", "one", "two"]) ids.push((await a.start({ ...command, instance })).id);
  world.calls.length = 0;
  world.set(ids[0] ?? "", "finished", 4);
  expect([...(await a.states(ids)).values()].map(({ state }) => state)).toEqual([
    "finished",
    "running",
    "running",
  ]);
  expect(world.calls.sort()).toEqual(["probe one 2", "probe two 1"]);
  expect(world.counted()).toBe(2);
  world.calls.length = 0;
  expect((await a.states(ids)).get(ids[0] ?? "")?.exitCode).toBe(4);
  expect(world.calls.sort()).toEqual(["probe one 1", "probe two 1"]);
});

it("X-20 an unreachable guest is reported unknown and changes nothing that is believed", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  world.down.set("one", "Frozen");
  expect((await a.states([id])).get(id)?.state).toBe("unknown");
  expect(a.require(id).state).toBe("running");
  expect(await a.unfinished("one")).toEqual([id]);
});

it("X-20 the tasks of an instance that stopped are lost", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  world.down.set("one", "Stopped");
  expect((await a.states([id])).get(id)?.state).toBe("lost");
  expect(a.running()).toEqual([]);
  expect(world.counted()).toBe(0);
});

it("X-21 wait_any resolves with the first that is over, asking each instance once per round", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push((await a.start({ ...command, maxConcurrentTasks: 20 })).id);
  world.calls.length = 0;
  const running: number[] = [];
  const onPoll = (count: number) => running.push(count);
  const wait = a.waitAny(ids, { timeoutMs: 45_000, signal: new AbortController().signal, onPoll });
  await world.clock.advance(10_000);
  world.set(ids[7] ?? "", "finished", 0);
  await world.clock.advance(2000);
  expect((await wait).get(ids[7] ?? "")).toMatchObject({ state: "finished" });
  expect(world.calls.every((call) => call === "probe one 20")).toBe(true);
  expect(world.calls.length).toBe(running.length + 1);
  expect(world.calls.length).toBeLessThanOrEqual(9);
  expect(running).toEqual(Array(running.length).fill(20));
});

it("X-21 wait_any ends at the time-out with what is known, and at once when cancelled", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  const wait = a.waitAny([id], { timeoutMs: 3000, signal: new AbortController().signal });
  await world.clock.advance(3000);
  expect((await wait).get(id)?.state).toBe("running");
  const stop = new AbortController();
  const second = a.waitAny([id], { timeoutMs: 3000, signal: stop.signal });
  await world.clock.advance(100);
  stop.abort();
  await expect(second).rejects.toMatchObject({ outcome: "cancelled" });
  expect(world.clock.sleepers()).toBe(0);
});

it("X-21 cancel ends tasks with one call per instance and frees their places", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const ids: string[] = [];
  for (const instance of ["one", "one", "two"]) ids.push((await a.start({ ...command, instance })).id);
  world.calls.length = 0;
  await a.cancel(ids);
  expect(world.calls.filter((call) => call.startsWith("cancel")).sort()).toEqual([
    "cancel one 2",
    "cancel two 1",
  ]);
  expect([...(await a.states(ids)).values()].map(({ exitCode }) => exitCode)).toEqual([143, 143, 143]);
  expect(world.counted()).toBe(0);
  await a.cancel(ids);
});

it("X-21 cancel on a stopped instance is a success, on a silent one a failure", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  world.down.set("one", "Frozen");
  await expect(a.cancel([id])).rejects.toMatchObject({ code: "instance-not-running" });
  world.down.set("one", "Stopped");
  await a.cancel([id]);
  expect(a.require(id).state).toBe("lost");
});

it("X-17 names what is unfinished on an instance, foreground commands too", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  await a.start({ ...command, instance: "two" });
  await a.foreground("one", async () => {
    expect(await a.unfinished("one")).toEqual([id, "a foreground command"]);
  });
  await expect(a.foreground("one", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  world.set(id, "finished", 0);
  expect(await a.unfinished("one")).toEqual([]);
});

it("X-18 adoption takes over the tasks with their places", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const ids = [(await a.start(command)).id, (await a.start(command)).id];
  world.set(ids[0] ?? "", "finished", 1);
  world.kill("a");
  const b = world.session("b");
  expect(await b.adopt("one")).toEqual(ids);
  expect(b.on("one").map(({ state }) => state)).toEqual(["finished", "running"]);
  expect(b.running()).toEqual([ids[1]]);
  await expect(b.start({ ...command, maxConcurrentTasks: 1 })).rejects.toMatchObject({
    details: { own: 1, others: 0 },
  });
});

it("X-15 an instance that is gone frees the places of its tasks and of nothing else", async () => {
  const world = tasksWorld();
  const a = world.session("a");
  const { id } = await a.start(command);
  const other = await a.start({ ...command, instance: "one-2" });
  await a.forget("one");
  expect(a.require(id).state).toBe("lost");
  expect(a.running()).toEqual([other.id]);
  expect(world.counted()).toBe(1);
});
