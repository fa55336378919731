import { expect } from "vitest";
import { incusIt as it, useGuest } from "./guest-world.ts";

const world = useGuest();
const { run } = world;

const stubborn = [
  "trap '' TERM",
  "setsid sleep 7001 & nohup sleep 7002 >/dev/null 2>&1 &",
  "(setsid bash -c 'trap \"\" TERM; while :; do sleep 7003; done' &)",
  "sudo setsid sleep 7004 & sudo env -i setsid bash -c 'trap \"\" TERM; sleep 7005; sleep 7006' &",
  "sleep 7007",
].join("\n");

it("X-16 ends at the time-out with every process it started, setsid, nohup and sudo too", async () => {
  const ended = await run(`echo begun; ${stubborn}`, { timeoutMs: 700 });
  expect(ended).toMatchObject({ timedOut: true, exitCode: 137, stdout: { text: "begun\n" } });
  expect(ended.durationMs).toBeLessThan(6000);
  expect(await world.processes("sleep 70")).toBe(0);
});

it("X-16 answers a polite command's time-out without waiting for the kill", async () => {
  const ended = await run("sleep 7010", { timeoutMs: 300 });
  expect(ended).toMatchObject({ timedOut: true, exitCode: 143 });
  expect(ended.durationMs).toBeLessThan(1500);
});

it("X-16 a cancelled command leaves no process in the guest when the call returns", async () => {
  const stop = new AbortController();
  const call = run(stubborn, { signal: stop.signal, onLine: () => undefined });
  await expect.poll(() => world.processes("sleep 7007")).toBe(1);
  stop.abort();
  await expect(call).rejects.toMatchObject({ outcome: "cancelled" });
  expect(await world.processes("sleep 70")).toBe(0);
});

it("X-16 a command that is cancelled while it starts does not run afterwards", async () => {
  for (const wait of [0, 5, 10, 20, 30]) {
    const stop = new AbortController();
    const call = run("sleep 7020", { signal: stop.signal });
    setTimeout(() => stop.abort(), wait);
    await expect(call).rejects.toMatchObject({ outcome: "cancelled" });
  }
  expect(await world.processes("sleep 7020")).toBe(0);
});

it("X-16 a cancel ends nothing of another command", async () => {
  const other = run("sleep 1; echo mine");
  const stop = new AbortController();
  const call = run("sleep 7030", { signal: stop.signal });
  await expect.poll(() => world.processes("sleep 7030")).toBe(1);
  stop.abort();
  await expect(call).rejects.toMatchObject({ outcome: "cancelled" });
  expect(await other).toMatchObject({ exitCode: 0, stdout: { text: "mine\n" } });
});

it("X-16 says so when the instance is stopped in the middle, and does not hang", {
  timeout: 60_000,
}, async () => {
  const call = run("sleep 7040");
  await expect.poll(() => world.processes("sleep 7040")).toBe(1);
  const [failure] = await Promise.all([
    call.catch((error: unknown) => error),
    world.incus.instances.stop(world.name, { force: true }),
  ]);
  expect(failure).toMatchObject({ outcome: "error", code: "instance-not-running" });
  await expect(run("true")).rejects.toMatchObject({ outcome: "error", code: "instance-not-running" });
  await world.incus.instances.start(world.name);
  await world.guest.waitForBoot(world.name, { timeoutMs: 20_000 });
  expect((await run("echo back")).stdout.text).toBe("back\n");
});
