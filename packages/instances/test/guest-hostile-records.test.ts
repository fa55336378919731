import { expect } from "vitest";
import { incusIt as it, useGuest } from "./guest-world.ts";

const world = useGuest();
const { guest, name, run, over } = world;
const record = (id: string) => `~/.isx-mcp/tasks/${id}`;
const see = async (id: string) => (await guest.probeTasks(name, [id], { timeoutMs: 3000 })).get(id);
const read = (id: string) => guest.readTask(name, id, { stream: "stdout", offset: undefined, limit: 100 });

it.for([
  ["fifo", "mkfifo"],
  ["directory", "mkdir"],
  ["link", "ln -s /etc/passwd"],
  ["loop", "ln -s stdout"],
  ["zero", "ln -s /dev/zero"],
] as const)("X-20 a %s in place of every file neither hangs nor fools anything", async ([kind, make]) => {
  const id = `t1-${kind}`;
  await guest.startTask(name, { id, command: "echo done" });
  await over(id);
  await run(
    `cd ${record(id)} && for f in kind exit stdout stderr cancelling request; do rm -rf $f; ${make} $f; done; true`,
  );
  expect(await see(id)).toMatchObject({ state: "lost", stdoutBytes: 0, stderrBytes: 0 });
  expect(await read(id)).toMatchObject({ text: "", totalBytes: 0 });
  expect((await guest.listTasks(name)).find((task) => task.id === id)?.kind).toBe("command");
  await guest.cancelTasks(name, [id]);
  await guest.presence(name, { timeoutMs: 3000 }).then((seen) => expect(seen).toBeDefined());
});

it.for([
  ["fifo", "mkfifo"],
  ["directory", "mkdir"],
] as const)(
  "X-20 a %s at the exit record while the task runs does not stop its end",
  async ([kind, make]) => {
    const id = `t2-${kind}`;
    await guest.startTask(name, { id, command: `cd ${record(id)}; ${make} exit; echo done` });
    const seen = (await over(id)).get(id);
    if (kind === "fifo") expect(seen).toMatchObject({ state: "finished", exitCode: 0 });
    else expect(seen?.state).toBe("lost");
  },
);

it("X-20 a task cannot say that it is over while it runs", async () => {
  const id = "t3-liar";
  await guest.startTask(name, { id, command: `ln -s 0 ${record(id)}/exit; sleep 5001` });
  await expect.poll(async () => (await world.say(`readlink ${record(id)}/exit`)).trim()).toBe("0");
  expect(await see(id)).toMatchObject({ state: "running", exitCode: undefined });
  await guest.cancelTasks(name, [id]);
  expect(await world.processes("sleep 5001")).toBe(0);
});

it("X-20 an exit record that is no number does not count, nor is it run", async () => {
  const id = "t4-code";
  await guest.startTask(name, { id, command: "true" });
  await over(id);
  for (const target of ["x[$(touch /tmp/ran)]", "999", "-1", "1\n2", "0 file ./t4 exit"]) {
    await run(`ln -sfT "$TARGET" ${record(id)}/exit`, { env: { TARGET: target } });
    expect((await see(id))?.state).toBe("lost");
  }
  expect(await world.say("ls /tmp/ran 2>&1")).toContain("No such file");
});

it("X-20 X-21 1 GB of output costs no more to look at and to read than a line", async () => {
  const id = "t5-big";
  await guest.startTask(name, { id, command: "head -c 1G /dev/zero | tr '\\0' y; echo end" });
  await expect.poll(async () => (await see(id))?.state, { timeout: 60_000 }).toBe("finished");
  const started = performance.now();
  expect(await see(id)).toMatchObject({ stdoutBytes: 2 ** 30 + 4 });
  expect((await read(id)).text).toMatch(/^y{96}end\n$/);
  const middle = await guest.readTask(name, id, { stream: "stdout", offset: 2 ** 29, limit: 5 });
  expect(middle).toMatchObject({ text: "yyyyy", offset: 2 ** 29, nextOffset: 2 ** 29 + 5 });
  expect(performance.now() - started).toBeLessThan(3000);
  await run(`rm ${record(id)}/stdout`);
}, 90_000);

it("X-20 files that are swapped all the time hang no look", async () => {
  const id = "t6-swap";
  const swap = `cd ${record(id)}; while :; do for k in 'mkfifo x' 'mkdir x' 'ln -s /dev/zero x' 'touch x'; do rm -rf x y; $k; mv -T x y; rm -rf stdout; mv -T y stdout; done; done`;
  await guest.startTask(name, { id, command: swap });
  for (let round = 0; round < 25; round += 1) {
    expect((await see(id))?.state).toBe("running");
    expect((await read(id)).text).toBe("");
  }
  await guest.cancelTasks(name, [id]);
  expect((await see(id))?.exitCode).toBe(143);
});

it("X-20 writes nothing as root through links of agentuser", async () => {
  await world.root("mkdir -p /root/trap/tasks && chmod 755 /root /root/trap /root/trap/tasks");
  await run("mv ~/.isx-mcp ~/.kept && ln -s /root/trap ~/.isx-mcp");
  await expect(guest.startTask(name, { id: "t7-link", command: "true" })).rejects.toMatchObject({
    code: "task-not-started",
  });
  await guest.cancelTasks(name, ["t7-link"]);
  await guest
    .clearTasks(name)
    .catch((failure: unknown) => expect(failure).toMatchObject({ outcome: "error" }));
  expect(
    await world.say("sudo find /root/trap -type f -o -type l | wc -l; sudo ls -d /root/trap/tasks"),
  ).toBe("0\n/root/trap/tasks");
  await run("rm ~/.isx-mcp && mv ~/.kept ~/.isx-mcp");
});

it("X-20 a bus that does not answer makes every task unknown, and a guest that hangs too", async () => {
  const id = "t8-silent";
  await guest.startTask(name, { id, command: "sleep 5010" });
  await world.root(
    "mv /usr/bin/systemctl /usr/bin/systemctl.kept; printf '#!/bin/sh\\nexit 1\\n' > /usr/bin/systemctl; chmod 755 /usr/bin/systemctl",
  );
  expect((await see(id))?.state).toBe("unknown");
  await world.root("printf '#!/bin/sh\\nsleep 5011\\n' > /usr/bin/systemctl");
  const started = performance.now();
  const seen = await guest.probeTasks(name, [id], { timeoutMs: 500 });
  expect(seen.get(id)?.state).toBe("unknown");
  expect(await guest.presence(name, { timeoutMs: 500 })).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(4000);
  await world.root("mv /usr/bin/systemctl.kept /usr/bin/systemctl; pkill -f 'sleep 5011'");
  expect((await see(id))?.state).toBe("running");
  await guest.cancelTasks(name, [id]);
});
