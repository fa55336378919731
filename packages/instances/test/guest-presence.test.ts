import { expect } from "vitest";
import { incusIt as it, useGuest } from "./guest-world.ts";

const world = useGuest();
const { guest, name, run } = world;
const look = () => guest.presence(name, { timeoutMs: 10_000 });

it("X-40 sees nobody in a fresh instance, with the guest's clock; the getty is nobody", async () => {
  await expect.poll(() => world.processes("agetty")).toBe(1);
  const seen = await look();
  expect(seen).toMatchObject({ attended: false, workingAgents: [], lastAgentActivityAt: undefined });
  expect(Math.abs((seen?.now ?? 0) - Date.now())).toBeLessThan(5000);
});

it("X-40 sees a person's terminal while it is open, in one exec", async () => {
  const terminal = await world.incus.openTerminal(name, {
    command: ["su", "-", "agentuser"],
    columns: 80,
    rows: 24,
    onOutput: () => undefined,
  });
  await expect.poll(async () => (await look())?.attended).toBe(true);
  const before = world.execs();
  await look();
  expect(world.execs() - before).toBe(1);
  terminal.hangUp();
  await terminal.ended;
  await expect.poll(async () => (await look())?.attended).toBe(false);
});

it("X-40 takes a terminal that a task made for no person", async () => {
  await guest.startTask(name, { id: "t1-pty", command: "script -qc 'sleep 4001' /dev/null" });
  await expect.poll(() => world.processes("sleep 4001")).toBeGreaterThan(0);
  expect((await look())?.attended).toBe(false);
  await guest.cancelTasks(name, ["t1-pty"]);
});

it("X-40 names working agents and their last write, and no background command", async () => {
  await guest.startTask(name, { id: "t2-agent", command: "sleep 4010" });
  await guest.startTask(name, { id: "t2-plain", command: "sleep 4011" });
  await run(
    "ln -sfT agent ~/.isx-mcp/tasks/t2-agent/kind && touch -d @1700000000 ~/.isx-mcp/tasks/t2-*/std*",
  );
  expect(await look()).toMatchObject({ workingAgents: ["t2-agent"], lastAgentActivityAt: 1_700_000_000_000 });
  await guest.cancelTasks(name, ["t2-agent", "t2-plain"]);
  expect(await look()).toMatchObject({ workingAgents: [], lastAgentActivityAt: 1_700_000_000_000 });
});
