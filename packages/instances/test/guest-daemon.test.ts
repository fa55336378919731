import { afterAll, expect } from "vitest";
import { startOwnDaemon } from "../../incus/test/own-daemon.ts";
import { incusIt as it, runsWithIncus, useGuest } from "./guest-world.ts";

const daemon = runsWithIncus ? startOwnDaemon() : undefined;
afterAll(() => daemon?.down(), 60_000);
const world = useGuest(daemon?.socketPath);
const { guest, name, run } = world;

it("X-16 a command whose daemon is killed ends with a next step, and leaves no process", {
  timeout: 60_000,
}, async () => {
  const call = run("setsid sleep 3001 & sleep 3002");
  await expect.poll(() => world.processes("sleep 3002")).toBe(1);
  daemon?.kill();
  const [failure] = await Promise.all([call.catch((error: unknown) => error), daemon?.start()]);
  expect(failure).toMatchObject({
    outcome: "unavailable",
    code: "exec-interrupted",
    next: "The command was ended; run it again",
  });
  expect(await world.processes("sleep 300")).toBe(0);
});

it("X-20 a task goes on while the daemon is killed and started again", { timeout: 60_000 }, async () => {
  await guest.startTask(name, {
    id: "t1-goes-on",
    command: "until [ -e ~/go ]; do sleep 0.1; done; echo on; exit 5",
  });
  daemon?.kill();
  await expect(guest.probeTasks(name, ["t1-goes-on"], { timeoutMs: 5000 })).rejects.toMatchObject({
    outcome: "unavailable",
  });
  await daemon?.start();
  expect((await guest.probeTasks(name, ["t1-goes-on"], { timeoutMs: 5000 })).get("t1-goes-on")?.state).toBe(
    "running",
  );
  await run("touch ~/go");
  expect((await world.over("t1-goes-on")).get("t1-goes-on")).toMatchObject({
    state: "finished",
    exitCode: 5,
  });
});

it("X-16 says that the command may still run when the daemon stays away", { timeout: 60_000 }, async () => {
  const call = run("sleep 3010");
  await expect.poll(() => world.processes("sleep 3010")).toBe(1);
  daemon?.kill();
  await expect(call).rejects.toMatchObject({
    outcome: "unavailable",
    code: "exec-interrupted",
    next: expect.stringContaining("isx doctor"),
  });
  await daemon?.start();
});
