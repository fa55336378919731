import type { PaneRef } from "@agent-control/multiplexer";
import { describe, expect, it } from "vitest";
import { claimLaunch, type Launch } from "../src/index.ts";
import { type FleetWorld, failureOf, fleetWorld, sampleLaunch, seenBy, socket } from "./world.ts";

const id = sampleLaunch().id;

/** A pending launch with its open pane, and the claiming child of the pane's process. */
async function pendingWorld(what: Partial<Launch> = {}) {
  const world = await fleetWorld();
  const pane = await world.openPane();
  const process = await world.processOf(pane);
  world.processTable.add({ pid: 3000, parent: process.pid });
  world.launches.create(sampleLaunch({ paneId: pane.paneId, ...what }));
  return { ...world, pane, process };
}

const claimAs = (world: FleetWorld, pid: number, launchId = id) =>
  claimLaunch(
    {
      launches: world.launches,
      clock: world.clock,
      multiplexer: world.multiplexer,
      processTable: seenBy(world.processTable, pid),
    },
    launchId,
  );

describe("claimLaunch", () => {
  it("T-07 binds the launch to the pane's process and its server", async () => {
    const world = await pendingWorld();
    const claimed = await claimAs(world, 3000);
    expect(claimed).toMatchObject({
      state: "claimed",
      server: { pid: 1000, start: world.server.start },
      process: world.process,
      claimedAt: new Date(world.clock.now()).toISOString(),
    });
    expect(world.launches.read(id)).toEqual(claimed);
  });

  it("T-07 claims once only, also when two ask at the same moment", async () => {
    const world = await pendingWorld();
    const both = await Promise.allSettled([claimAs(world, 3000), claimAs(world, 3000)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const stored = world.launches.read(id);
    expect(await failureOf(claimAs(world, 3000))).toMatchObject({
      outcome: "refused",
      code: "launch-claimed",
    });
    expect(world.launches.read(id)).toEqual(stored);
  });

  it.each<[string, string, (world: FleetWorld & { pane: PaneRef }) => Promise<number>]>([
    [
      "another pane",
      "other-pane",
      async (world) => {
        world.processTable.add({ pid: 3001, parent: (await world.processOf(await world.openPane())).pid });
        return 3001;
      },
    ],
    ["the home pane", "other-pane", async () => 4242],
    [
      "a grandchild of the pane's process",
      "other-server",
      async (world) => {
        world.processTable.add({ pid: 3001, parent: 3000 });
        return 3001;
      },
    ],
    [
      "below another server",
      "other-server",
      async (world) => {
        const elsewhere = await world.multiplexer.createSession({
          socket: "/run/tmux/b",
          name: "b",
          argv: ["x", "y"],
        });
        const server = (await world.multiplexer.server("/run/tmux/b"))?.pid ?? 0;
        const pid = (await world.multiplexer.panes(elsewhere.session))?.[0]?.pid ?? 0;
        world.processTable.add({ pid: server });
        world.processTable.add({ pid, parent: server });
        world.processTable.add({ pid: 3001, parent: pid });
        return 3001;
      },
    ],
    [
      "a process without a parent",
      "no-parent",
      async (world) => {
        world.processTable.add({ pid: 3001, parent: 1 });
        return 3001;
      },
    ],
  ])("T-07 refuses a claim from %s, and changes nothing", async (_what, code, from) => {
    const world = await pendingWorld();
    const pid = await from(world);
    expect(await failureOf(claimAs(world, pid))).toMatchObject({ outcome: "refused", code });
    expect(world.launches.read(id)).toMatchObject({ state: "pending", process: undefined });
  });

  it.each<[string, Partial<Launch>, string]>([
    ["of a pane that does not exist", { paneId: "%9" }, "other-pane"],
    ["of another session", { session: { id: "$9", name: "agents" } }, "other-pane"],
    ["of another socket", { socket: "/run/tmux/none" }, "other-server"],
    ["that has exited", { state: "exited" }, "launch-claimed"],
    ["that was replaced", { state: "replaced" }, "launch-claimed"],
  ])("T-07 refuses a launch %s", async (_what, what, code) => {
    const world = await pendingWorld(what);
    expect(await failureOf(claimAs(world, 3000))).toMatchObject({ outcome: "refused", code });
    expect(world.launches.read(id)?.process).toBeUndefined();
  });

  it("T-07 waits for the spawner to write the pane id, 5 s at most", async () => {
    const world = await pendingWorld({ paneId: undefined });
    world.after(4_000, () => world.launches.update(id, (now) => ({ ...now, paneId: world.pane.paneId })));
    expect(await claimAs(world, 3000)).toMatchObject({ state: "claimed" });

    const never = await pendingWorld({ paneId: undefined });
    const started = never.clock.monotonic();
    expect(await failureOf(claimAs(never, 3000))).toMatchObject({ outcome: "refused", code: "pane-unknown" });
    expect(never.clock.monotonic() - started).toBeLessThanOrEqual(5_020);
  });

  it("T-07 refuses a launch whose record is gone", async () => {
    const world = await pendingWorld();
    world.launches.remove(id);
    expect(await failureOf(claimAs(world, 3000))).toMatchObject({ code: "launch-unknown" });
  });

  it("T-08 replaces the older launch of the pane, and no launch of another pane, server or state", async () => {
    const world = await pendingWorld();
    const older = await world.launchIn(world.pane);
    const elsewhere = await world.caller();
    const beforeRestart = await world.launchIn(world.pane, { server: { pid: 1000, start: "1" } });
    const exited = await world.launchIn(world.pane, { state: "exited" });
    await claimAs(world, 3000);
    expect(world.launches.read(older.id)).toMatchObject({ state: "replaced", replacedBy: id });
    expect(world.launches.read(elsewhere.id)?.state).toBe("claimed");
    expect(world.launches.read(beforeRestart.id)?.state).toBe("claimed");
    expect(world.launches.read(exited.id)?.state).toBe("exited");
  });

  it("T-13 is unavailable when the multiplexer does not answer", async () => {
    const world = await pendingWorld();
    world.multiplexer.setSilent(socket, true);
    expect(await failureOf(claimAs(world, 3000))).toMatchObject({ outcome: "unavailable" });
    expect(world.launches.read(id)?.state).toBe("pending");
  });
});
