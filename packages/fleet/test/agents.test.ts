import { expect, it } from "vitest";
import { isLive, isRunning, listAgents } from "../src/index.ts";
import { type FleetWorld, fleetWorld } from "./world.ts";

const started = { claimedAt: "1970-01-01T00:00:01.000Z" };

async function report(world: FleetWorld, launchId: string, what: object = {}) {
  const { processTable, activity } = world.ports;
  await activity.apply({
    harness: "claude",
    sessionId: launchId,
    instance: "",
    launchId,
    cwd: "/work",
    process: processTable.self(),
    status: "working",
    detail: "",
    tool: "",
    event: "UserPromptSubmit",
    turnStarted: true,
    sequence: activity.takeSequence(),
    ts: 7_000,
    ...what,
  });
}

it("T-28 tells what each agent does by its newest event, and only that its process runs where none come", async () => {
  const world = await fleetWorld();
  const silent = await world.launchIn(await world.openPane(), started);
  const working = await world.launchIn(await world.openPane(), started);
  const asking = await world.launchIn(await world.openPane(), started);
  const plain = await world.launchIn(await world.openPane(), { ...started, harness: "none" });
  await report(world, working.id);
  await report(world, asking.id, { status: "waiting", detail: "permission" });
  const agents = new Map((await listAgents(world.ports)).map(({ launch, ...did }) => [launch.id, did]));
  expect(agents.get(silent.id)).toEqual({ state: "starting", detail: "", since: 1_000 });
  expect(agents.get(working.id)).toEqual({ state: "working", detail: "", since: 7_000 });
  expect(agents.get(asking.id)).toEqual({ state: "waiting", detail: "permission", since: 7_000 });
  expect(agents.get(plain.id)).toEqual({ state: "running", detail: "", since: 1_000 });
});

it("T-08 says exited of an agent whose process is gone although its record says claimed", async () => {
  const world = await fleetWorld();
  const launch = await world.launchIn(await world.openPane());
  expect((await listAgents(world.ports)).map(isRunning)).toEqual([true]);
  world.processTable.exit(launch.process?.pid ?? 0);
  expect(await listAgents(world.ports)).toMatchObject([{ state: "exited", since: 0 }]);
  expect((await listAgents(world.ports)).map(isRunning)).toEqual([false]);
});

it("T-05 counts a pending launch for a minute, after which its pane can no longer claim it", async () => {
  const world = await fleetWorld();
  const pane = await world.openPane();
  const createdAt = new Date(world.clock.now()).toISOString();
  const launch = await world.launchIn(pane, { state: "pending", process: undefined, createdAt });
  expect(await listAgents(world.ports)).toMatchObject([{ state: "pending" }]);
  expect(await isLive(world.ports, launch)).toBe(true);
  await world.clock.sleep(61_000);
  expect(await listAgents(world.ports)).toMatchObject([{ state: "exited", detail: "never started" }]);
  expect(await isLive(world.ports, launch)).toBe(false);
});

it("T-27 a launch lives while it verifies; what could not be looked at is neither", async () => {
  const world = await fleetWorld();
  const pane = await world.openPane();
  const launch = await world.launchIn(pane);
  expect(await isLive(world.ports, launch)).toBe(true);
  world.multiplexer.setSilent(pane.session.socket, true);
  await expect(isLive(world.ports, launch)).rejects.toMatchObject({ outcome: "unavailable" });
  world.multiplexer.setSilent(pane.session.socket, false);
  await world.multiplexer.close(pane);
  expect(await isLive(world.ports, launch)).toBe(false);
});
