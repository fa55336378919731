import { expect } from "vitest";
import { incusIt as it, useGuest } from "./guest-world.ts";

const world = useGuest();
const { guest, name, run, say, over } = world;
const records = "~/.isx-mcp/tasks";

it("X-20 runs a task as agentuser in a marked unit with records that are agentuser's", async () => {
  const command = "id -un; pwd; read x; echo [$x] $A; echo $ISX_UNIT >&2; exit 7";
  await guest.startTask(name, { id: "t1-run", command, cwd: "/tmp", env: { A: "$(id)'\"\n" } });
  const seen = (await over("t1-run")).get("t1-run");
  expect(seen).toMatchObject({ state: "finished", exitCode: 7, stdoutBytes: 26, stderrBytes: 16 });
  expect(Math.abs((seen?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  const piece = { offset: undefined, limit: 8192 };
  expect((await guest.readTask(name, "t1-run", { stream: "stdout", ...piece })).text).toBe(
    "agentuser\n/tmp\n[] $(id)'\"\n",
  );
  expect((await guest.readTask(name, "t1-run", { stream: "stderr", ...piece })).text).toBe(
    "isx-task-t1-run\n",
  );
  expect(
    await say(`find ~/.isx-mcp ! -user agentuser | wc -l; stat -c %a ${records} ${records}/t1-run`),
  ).toBe("0\n700\n700");
  expect(await say(`ls -A ${records}/t1-run`)).toBe("exit\nkind\nstderr\nstdout");
});

it.for([
  ["t2-ok", "true", 0],
  ["t2-sig", "kill -KILL $$", 137],
  ["t2-term", "kill -TERM $$", 143],
  ["t2-none", "nope", 127],
  ["t2-runner", "kill -KILL $PPID; sleep 60", 137],
  ["t2-all", "kill -KILL -1", 137],
] as const)("X-20 records the true exit code of %s: %s is %i", async ([id, command, code]) => {
  await guest.startTask(name, { id, command });
  expect((await over(id)).get(id)).toMatchObject({ state: "finished", exitCode: code });
});

it("X-20 ends what a task leaves behind with the task", async () => {
  await guest.startTask(name, { id: "t3-left", command: "setsid sleep 6001 & nohup sleep 6002 & exit 0" });
  expect((await over("t3-left")).get("t3-left")).toMatchObject({ state: "finished", exitCode: 0 });
  expect(await world.processes("sleep 600")).toBe(0);
});

it("X-20 refuses a missing directory and an id that is taken, and leaves nothing of them", async () => {
  await expect(guest.startTask(name, { id: "t4-cwd", command: "true", cwd: "/nope" })).rejects.toMatchObject({
    outcome: "refused",
    code: "command-unusable",
  });
  await guest.startTask(name, { id: "t4-twice", command: "sleep 6010" });
  await expect(guest.startTask(name, { id: "t4-twice", command: "true" })).rejects.toMatchObject({
    code: "task-not-started",
    message: expect.stringContaining("File exists"),
  });
  expect(await say(`ls ${records} | grep t4`)).toBe("t4-twice");
  await guest.cancelTasks(name, ["t4-twice"]);
});

it("X-20 says why a task could not be started on a full disk, and leaves no record", async () => {
  await world.root("mkdir -p /mnt/full && mount -t tmpfs -o size=16k,uid=1000,mode=700 full /mnt/full");
  await run(`mv ~/.isx-mcp ~/.kept && ln -s /mnt/full ~/.isx-mcp && head -c 16k /dev/zero > /mnt/full/fill`);
  await expect(guest.startTask(name, { id: "t5-full", command: "true" })).rejects.toMatchObject({
    code: "task-not-started",
    message: expect.stringContaining("No space left"),
  });
  expect(await say("ls /mnt/full/tasks 2>/dev/null | wc -l")).toBe("0");
  await run("rm ~/.isx-mcp && mv ~/.kept ~/.isx-mcp");
  await world.root("umount /mnt/full");
});

it("X-21 cancels several tasks at once with 143, however they take it, and leaves no process", async () => {
  const commands = {
    "t6-polite": "sleep 6020",
    "t6-zero": "trap 'exit 0' TERM; while :; do sleep 0.1; done",
    "t6-stubborn": "trap '' TERM; setsid sleep 6021 & while :; do sleep 6022; done",
    "t6-root": "sudo setsid sleep 6023 & sudo env -i bash -c 'trap \"\" TERM; sleep 6024; sleep 6025'",
  };
  const ids = Object.keys(commands);
  for (const [id, command] of Object.entries(commands)) await guest.startTask(name, { id, command });
  await guest.cancelTasks(name, [...ids, "t6-never-was", "t1-run"]);
  const seen = await guest.probeTasks(name, [...ids, "t6-never-was", "t1-run"], { timeoutMs: 5000 });
  for (const id of ids) expect(seen.get(id)).toMatchObject({ state: "finished", exitCode: 143 });
  expect(seen.get("t6-never-was")?.state).toBe("lost");
  expect(seen.get("t1-run")).toMatchObject({ state: "finished", exitCode: 7 });
  expect(await world.processes("sleep 602")).toBe(0);
});

it("X-20 X-90 asks for 20 tasks with one exec", async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `t7-${index}`);
  await Promise.all(ids.map((id) => guest.startTask(name, { id, command: "sleep 6030" })));
  const before = world.execs();
  const started = performance.now();
  const seen = await guest.probeTasks(name, ids, { timeoutMs: 10_000 });
  console.log(`20 tasks: one poll took ${Math.round(performance.now() - started)} ms`);
  expect(world.execs() - before).toBe(1);
  expect([...seen.values()].map(({ state }) => state)).toEqual(Array(20).fill("running"));
  await guest.cancelTasks(name, ids);
});

it("X-21 pages through a stream without cutting a character", async () => {
  await guest.startTask(name, {
    id: "t8-page",
    command: "for i in 1 2 3 4 5; do printf 'a\u00e9\u{1f600}'; done",
  });
  await over("t8-page");
  let text = "";
  for (let offset = 0; offset < 35; ) {
    const piece = await guest.readTask(name, "t8-page", { stream: "stdout", offset, limit: 6 });
    expect(piece.totalBytes).toBe(35);
    expect(piece.nextOffset).toBeGreaterThan(offset);
    text += piece.text;
    offset = piece.nextOffset;
  }
  expect(text).toBe("a\u00e9\u{1f600}".repeat(5));
  const last = await guest.readTask(name, "t8-page", { stream: "stdout", offset: undefined, limit: 7 });
  expect(last).toMatchObject({ text: "a\u00e9\u{1f600}", offset: 28, totalBytes: 35 });
  const past = await guest.readTask(name, "t8-page", { stream: "stdout", offset: 99, limit: 7 });
  expect(past).toMatchObject({ text: "", totalBytes: 35 });
});

it("X-20 loses tasks to a forced stop, and records the graceful one", { timeout: 60_000 }, async () => {
  const { instances } = world.incus;
  const again = async () => {
    await instances.start(name);
    await guest.waitForBoot(name, { timeoutMs: 20_000 });
  };
  await guest.startTask(name, { id: "t9-force", command: "sleep 6040" });
  await instances.stop(name, { force: true });
  await expect(guest.probeTasks(name, ["t9-force"], { timeoutMs: 5000 })).rejects.toMatchObject({
    code: "instance-not-running",
  });
  await again();
  expect((await over("t9-force")).get("t9-force")?.state).toBe("lost");
  await guest.startTask(name, { id: "t9-grace", command: "sleep 6041" });
  expect(await instances.stop(name, { graceS: 20 })).toBe(true);
  await again();
  expect((await over("t9-grace")).get("t9-grace")).toMatchObject({ state: "finished", exitCode: 143 });
});

it("X-18 lists every record, and X-14 clears them", async () => {
  const listed = await guest.listTasks(name);
  expect(listed.find(({ id }) => id === "t1-run")).toMatchObject({ kind: "command", seen: { exitCode: 7 } });
  await guest.clearTasks(name);
  expect(await guest.listTasks(name)).toEqual([]);
  expect((await guest.probeTasks(name, ["t1-run"], { timeoutMs: 5000 })).get("t1-run")?.state).toBe("lost");
});
