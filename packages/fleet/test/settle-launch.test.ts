import { Failure } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { type FleetPorts, openLaunch, settleLaunch } from "../src/index.ts";
import { type FleetWorld, failureOf, fleetWorld, profile } from "./world.ts";

/** The world's multiplexer, with some acts replaced. */
const portsWith = (world: FleetWorld, acts: object): FleetPorts => ({
  ...world.ports,
  multiplexer: async () => ({ ...world.multiplexer, ...acts }),
});

describe("settleLaunch", () => {
  /** An opened launch, and its pane's process as it claims. */
  async function opened() {
    const world = await fleetWorld();
    const spawn = await openLaunch(world.ports, {
      ...{ profile: profile(), multiplexer: "tmux", session: world.home.session, baseDirectory: "/work" },
      ...{ spawnedBy: undefined, capOf: undefined, beforeOpening: async () => {} },
    });
    const server = { pid: 1000, start: world.server.start };
    const claim = async () => {
      const process = await world.processOf(spawn.pane);
      await world.launches.update(spawn.launch.id, (now) => ({ ...now, state: "claimed", server, process }));
      return process;
    };
    return { ...world, spawn, claim };
  }
  const unavailable = () =>
    Promise.reject(new Failure("unavailable", { code: "x", message: "No answer", next: "Again" }));

  it("T-17 says running once the program has lived 300 ms after its claim, and lets the pane close with it", async () => {
    const { ports, spawn, claim, after, clock, multiplexer, home } = await opened();
    const started = clock.monotonic();
    after(1_000, claim);
    const spawned = await settleLaunch(ports, spawn);
    expect(spawned).toMatchObject({
      state: "running",
      pane: spawn.pane,
      notices: [],
      launch: { state: "claimed" },
    });
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(1_300);
    expect(clock.monotonic() - started).toBeLessThanOrEqual(1_350);
    multiplexer.end(spawn.pane);
    expect(await multiplexer.panes(home.session)).toHaveLength(1);
  });

  it("T-17 says pending after 5 s without a claim, and the pane goes on", async () => {
    const { ports, spawn, clock, launches } = await opened();
    const started = clock.monotonic();
    expect(await settleLaunch(ports, spawn)).toMatchObject({
      state: "pending",
      launch: { state: "pending" },
    });
    expect(clock.monotonic() - started).toBe(5_000);
    expect(launches.read(spawn.launch.id)?.state).toBe("pending");
  });

  it("T-17 says how a program died at once, with its last lines as a field of their own, and closes its pane", async () => {
    const { ports, spawn, claim, after, multiplexer, processTable, launches, home } = await opened();
    after(100, async () => {
      const { pid } = await claim();
      multiplexer.show(spawn.pane, ["\u001b[31mno such model\u202e", "", "bye"]);
      processTable.exit(pid, { zombie: true });
    });
    // The multiplexer collects the status a moment after the process is gone.
    after(400, () => multiplexer.end(spawn.pane, 3));
    const failure = await failureOf(settleLaunch(ports, spawn));
    expect(failure).toMatchObject({ outcome: "exited", exitCode: 4, code: "died-at-start" });
    expect(failure.message).toBe("Profile worker ended with status 3 as soon as it started");
    expect(failure.details).toEqual({
      launch_id: spawn.launch.id,
      status: 3,
      screen_text: "no such model\nbye",
    });
    expect(launches.read(spawn.launch.id)?.state).toBe("exited");
    expect(await multiplexer.panes(home.session)).toHaveLength(1);
  });

  it("T-17 says so when the launcher itself dies before the claim, within a moment", async () => {
    const { ports, spawn, clock, after, multiplexer } = await opened();
    const started = clock.monotonic();
    after(500, () => multiplexer.end(spawn.pane, 1));
    expect(await failureOf(settleLaunch(ports, spawn))).toMatchObject({
      code: "died-at-start",
      details: { status: 1 },
    });
    expect(clock.monotonic() - started).toBeLessThan(1_000);
  });

  it("T-17 says so when the person closes the pane meanwhile", async () => {
    const { ports, spawn, after, multiplexer } = await opened();
    after(500, () => multiplexer.close(spawn.pane));
    expect(await failureOf(settleLaunch(ports, spawn))).toMatchObject({
      code: "died-at-start",
      message: "Profile worker ended as soon as it started",
    });
  });

  it("T-13 takes a look that failed for no death", async () => {
    const world = await opened();
    const asked: number[] = [];
    const ports = portsWith(world, {
      panes: () => {
        asked.push(world.clock.monotonic());
        return unavailable();
      },
    });
    world.after(3_000, world.claim);
    expect(await settleLaunch(ports, world.spawn)).toMatchObject({ state: "running" });
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.length).toBeLessThan(20);
  });

  it("T-17 says in a notice that the pane could not be released", async () => {
    const world = await opened();
    world.after(100, world.claim);
    const spawned = await settleLaunch(portsWith(world, { release: unavailable }), world.spawn);
    expect(spawned).toMatchObject({ state: "running" });
    expect(spawned.notices).toEqual([expect.stringContaining("may stay open")]);
  });

  it("T-17 when cancelled releases the pane, which goes on", async () => {
    const { ports, spawn, after, multiplexer, home } = await opened();
    const stop = new AbortController();
    after(700, () => stop.abort());
    expect(await failureOf(settleLaunch(ports, spawn, stop.signal))).toMatchObject({ outcome: "cancelled" });
    expect(await multiplexer.panes(home.session)).toHaveLength(2);
    multiplexer.end(spawn.pane);
    expect(await multiplexer.panes(home.session)).toHaveLength(1);
  });
});
