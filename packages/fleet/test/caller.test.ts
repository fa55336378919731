import { describe, expect, it } from "vitest";
import { createLaunches, type FleetPorts, launchAbove, proveCaller } from "../src/index.ts";
import { type FleetWorld, failureOf, fleetWorld, sampleLaunch, seenBy, stateDirectory } from "./world.ts";

/** The ports of another process of the same machine. */
const as = ({ ports, processTable }: FleetWorld, pid: number): FleetPorts => ({
  ...ports,
  processTable: seenBy(processTable, pid),
});

const above = ({ ports }: FleetWorld, pid: number, more: { own?: string; id?: string } = {}) =>
  launchAbove(ports, {
    pid,
    ownStateDirectory: more.own ?? stateDirectory,
    ...(more.id === undefined ? {} : { id: more.id }),
  })?.launch.id;

describe("proveCaller", () => {
  it("T-14 proves the launch whose process this server descends from, through any number of shells", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.processTable.add({ pid: 3000, parent: 1001, name: "sh" });
    world.processTable.add({ pid: 3001, parent: 3000, name: "npx" });
    world.processTable.add({ pid: 3002, parent: 3001, name: "node" });
    expect(await proveCaller(world.ports, launch.id)).toMatchObject({ launch });
    expect(await proveCaller(as(world, 3002), launch.id)).toMatchObject({ launch });
  });

  it("T-14 without the variable says to run tongs-agents install", async () => {
    const { ports } = await fleetWorld();
    for (const id of [undefined, ""]) {
      const failure = await failureOf(proveCaller(ports, id));
      expect(failure).toMatchObject({ outcome: "refused" });
      expect(failure.next).toContain("tongs-agents install");
    }
  });

  it.each(["../launches/x", "A".repeat(26), "x"])("T-14 refuses %j, which is no launch id", async (id) => {
    const { ports } = await fleetWorld();
    expect(await failureOf(proveCaller(ports, id))).toMatchObject({
      outcome: "refused",
      code: "caller-malformed",
    });
  });

  it("T-14 refuses a launch id that was copied into a sibling's server", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    const other = await world.openPane();
    const { id } = await world.launchIn(other);
    const pid = (await world.processOf(other)).pid;
    world.processTable.add({ pid: 3000, parent: pid });
    expect(await failureOf(proveCaller(as(world, 3000), launch.id))).toMatchObject({
      outcome: "refused",
      code: "caller-not-below",
    });
    expect(await proveCaller(as(world, 3000), id)).toMatchObject({ launch: { id } });
  });

  it("T-14 refuses a copied launch id whose record was copied too, and edited for the copier", async () => {
    const world = await fleetWorld();
    const victim = await world.caller();
    const other = await world.openPane();
    const process = await world.processOf(other);
    const copier = await world.launchIn(other);
    const evil = createLaunches(world.ports, "/evil");
    evil.create({ ...victim, paneId: other.paneId, process, stateDirectory: "/evil" });
    const ports = {
      ...world.ports,
      launches: evil,
      places: { ...world.ports.places, stateDirectory: "/evil" },
    };
    world.processTable.exit(process.pid);
    const environment = { TONGS_AGENTS_LAUNCH_ID: copier.id, TONGS_AGENTS_STATE_DIR: stateDirectory };
    world.processTable.add({ ...process, parent: 1000, environment });
    world.processTable.add({
      pid: 3000,
      parent: process.pid,
      environment: { TONGS_AGENTS_LAUNCH_ID: victim.id, TONGS_AGENTS_STATE_DIR: "/evil" },
    });
    world.processTable.add({ pid: 3001, parent: 3000 });
    const asServer = { ...ports, processTable: seenBy(world.processTable, 3001) };
    expect(await failureOf(proveCaller(asServer, victim.id))).toMatchObject({ code: "caller-not-below" });
    expect(await failureOf(proveCaller(as(world, 3001), victim.id))).toMatchObject({
      code: "caller-not-below",
    });
    expect(await proveCaller(as(world, 3001), copier.id)).toMatchObject({ launch: { id: copier.id } });
  });

  it.each([
    ["codex", /--no-daemon/],
    ["claude", /MCP configuration/],
  ] as const)(
    "T-14 refuses a server of %s that was reparented to pid 1, and says what to do",
    async (harness, next) => {
      const world = await fleetWorld();
      const launch = await world.launchIn(world.home, { harness });
      world.processTable.add({ pid: 3000, parent: 1001 });
      world.processTable.add({ pid: 3001, parent: 3000 });
      world.processTable.exit(3000);
      const failure = await failureOf(proveCaller(as(world, 3001), launch.id));
      expect(failure).toMatchObject({ outcome: "refused", code: "caller-not-below" });
      expect(failure.next).toMatch(next);
    },
  );

  it("T-14 refuses every server below Codex' managed daemon, which a living launch may have started for all", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home, { harness: "codex" });
    const argv = ["/x/codex", "app-server", "--listen", "unix://", "--managed-daemon"];
    world.processTable.add({ pid: 3000, parent: 1001, argv });
    world.processTable.add({ pid: 3001, parent: 3000 });
    world.processTable.add({ pid: 3002, parent: 1001, argv: ["/x/codex", "app-server"] });
    world.processTable.add({ pid: 3003, parent: 3002 });
    for (const id of [launch.id, undefined]) {
      const failure = await failureOf(proveCaller(as(world, 3001), id));
      expect(failure).toMatchObject({ outcome: "refused", code: "caller-shared-daemon" });
      expect(failure.next).toContain("--no-daemon");
    }
    expect(await proveCaller(as(world, 3003), launch.id)).toMatchObject({ launch });
  });

  it("T-14 refuses when the pid of the launch was given to another process", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.processTable.reuse(1001, { parent: 1000 });
    expect(await failureOf(proveCaller(world.ports, launch.id))).toMatchObject({
      outcome: "refused",
      code: "caller-exited",
    });
  });

  it("T-14 refuses an unknown launch, and a pending one of its own kind", async () => {
    const world = await fleetWorld();
    const { id } = sampleLaunch();
    expect(await failureOf(proveCaller(world.ports, id))).toMatchObject({ code: "caller-record-missing" });
    world.launches.create(sampleLaunch());
    expect(await failureOf(proveCaller(world.ports, id))).toMatchObject({ code: "launch-pending" });
  });

  it("T-13 is unavailable, not refused, when it could not look", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.multiplexer.setSilent("/run/tmux/agents", true);
    expect(await failureOf(proveCaller(world.ports, launch.id))).toMatchObject({ outcome: "unavailable" });
  });
});

describe("launchAbove", () => {
  it("T-43 finds the launch in the state directory its process was started with, whatever the environment below", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home);
    world.processTable.exit(1001);
    const environment = { TONGS_AGENTS_LAUNCH_ID: launch.id, TONGS_AGENTS_STATE_DIR: stateDirectory };
    const process = world.processTable.add({ pid: 1001, parent: 1000, environment });
    await world.launches.update(launch.id, (now) => ({ ...now, process }));
    world.processTable.add({
      pid: 3000,
      parent: 1001,
      environment: { TONGS_AGENTS_STATE_DIR: "/elsewhere" },
    });
    world.processTable.add({ pid: 3001, parent: 3000, environment: {} });
    expect(above(world, 3001, { own: "/elsewhere" })).toBe(launch.id);
    expect(above(world, 3001, { own: "/elsewhere", id: launch.id })).toBe(launch.id);
    expect(above(world, 3001, { own: "/elsewhere", id: sampleLaunch().id })).toBeUndefined();
  });

  it("T-44 takes the outermost launch, so that nothing started below an agent passes for another", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    const process = world.processTable.add({ pid: 3000, parent: 1001 });
    await world.launchIn(await world.openPane(), { process });
    world.processTable.add({ pid: 3001, parent: 3000 });
    expect(above(world, 3001)).toBe(launch.id);
  });

  it("T-44 finds none above a person's shell, nor above a process whose agent was replaced by its pid", async () => {
    const world = await fleetWorld();
    await world.caller();
    world.processTable.add({ pid: 3000, parent: 1 });
    world.processTable.add({ pid: 3001, parent: 3000 });
    expect(above(world, 3001)).toBeUndefined();
    world.processTable.reuse(1001, { parent: 1000 });
    world.processTable.add({ pid: 3002, parent: 1001 });
    expect(above(world, 3002)).toBeUndefined();
  });

  it("T-44 passes over a damaged record and a relative state directory", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.files.place(`/state/launches/${sampleLaunch().id}.json`, "fifo");
    world.processTable.add({ pid: 3000, parent: 1001, environment: { TONGS_AGENTS_STATE_DIR: "state" } });
    world.processTable.add({ pid: 3001, parent: 3000 });
    expect(above(world, 3001)).toBe(launch.id);
  });
});
