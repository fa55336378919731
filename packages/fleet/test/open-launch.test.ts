import { Failure } from "@agent-control/base";
import { memoryLocks } from "@agent-control/base/testing";
import { describe, expect, it } from "vitest";
import { createLaunches, type FleetPorts, openLaunch, type SpawnRequest } from "../src/index.ts";
import { config, type FleetWorld, failureOf, fleetWorld, profile, sampleLaunch } from "./world.ts";

const request = (world: FleetWorld, what: Partial<SpawnRequest> = {}): SpawnRequest => ({
  profile: profile(),
  multiplexer: "tmux",
  session: world.home.session,
  baseDirectory: "/work",
  spawnedBy: undefined,
  capOf: undefined,
  beforeOpening: async () => {},
  ...what,
});

/** The world's multiplexer, with some acts replaced. */
const portsWith = (world: FleetWorld, acts: object): FleetPorts => ({
  ...world.ports,
  multiplexer: async () => ({ ...world.multiplexer, ...acts }),
});

const panes = async (world: FleetWorld) => (await world.multiplexer.panes(world.home.session))?.length;

describe("openLaunch", () => {
  it("T-05 writes the pending record before its pane exists, and the pane's id once it is known", async () => {
    const world = await fleetWorld();
    const atOpening: unknown[] = [];
    const open: typeof world.multiplexer.open = (asked) => {
      atOpening.push(...world.launches.list());
      return world.multiplexer.open(asked);
    };
    const spawnedBy = sampleLaunch().id;
    const given = profile({ command: ["codex", "--x;"], env: { A: "b c" }, cwd: "/work" });
    const { launch, pane } = await openLaunch(
      portsWith(world, { open }),
      request(world, { profile: given, spawnedBy }),
    );
    expect(atOpening).toMatchObject([{ id: launch.id, state: "pending", paneId: undefined }]);
    expect(launch).toEqual({
      ...sampleLaunch(),
      ...{ id: launch.id, harness: "codex", argv: ["codex", "--x;"], env: { A: "b c" } },
      ...{ paneId: pane.paneId, spawnedBy, createdAt: new Date(world.clock.now()).toISOString() },
    });
    expect(world.launches.read(launch.id)).toEqual(launch);
  });

  it("T-06 starts the fixed launcher, with nothing of the profile in its argv", async () => {
    const world = await fleetWorld();
    const { pane, launch } = await openLaunch(
      world.ports,
      request(world, { profile: profile({ command: ["#(x)"] }) }),
    );
    expect(world.multiplexer.argv(pane)).toEqual([
      ...["/bin/sh", "-c", expect.any(String), "tongs-agents", "/usr/bin/tongs-agents", "pane"],
      ...[launch.id, "/state"],
    ]);
    expect(world.multiplexer.focused(world.home.session)).toBe(world.home.paneId);
  });

  it("T-44 never writes over the caller's record, when its launch is given for the places", async () => {
    const world = await fleetWorld();
    const caller = await world.caller();
    const { launch } = await openLaunch({ ...world.ports, places: caller }, request(world));
    expect(launch.id).not.toBe(caller.id);
    expect(launch).toMatchObject({
      profile: "worker",
      argv: ["claude"],
      stateDirectory: caller.stateDirectory,
    });
    expect(world.launches.read(caller.id)).toEqual(caller);
  });

  it.each([
    [".", "/work"],
    ["sub", "/work/sub"],
    ["/other", "/other"],
    ["~", "/home/me"],
    ["~/x y", "/home/me/x y"],
    ["link", "/work/link"],
  ])("T-09 takes the directory %j as the person wrote it", async (cwd, expected) => {
    const world = await fleetWorld();
    for (const made of ["/work/sub", "/other", "/home/me/x y"]) world.files.makeDirectory(made);
    world.files.place("/work/link", "symlink", { target: "/other" });
    const { launch } = await openLaunch(world.ports, request(world, { profile: profile({ cwd }) }));
    expect(launch.cwd).toBe(expected);
  });

  it.each(["missing", "file", "dangling", "~nobody"])(
    "T-09 refuses the directory %j, leaving nothing",
    async (cwd) => {
      const world = await fleetWorld();
      world.files.write("/work/file", "");
      world.files.place("/work/dangling", "symlink", { target: "/nowhere" });
      const failure = await failureOf(openLaunch(world.ports, request(world, { profile: profile({ cwd }) })));
      expect(failure).toMatchObject({ outcome: "refused", code: "directory-missing" });
      expect(failure.message).toContain(`/work/${cwd}`);
      expect(world.launches.list()).toEqual([]);
      expect(await panes(world)).toBe(1);
    },
  );

  it("T-17 never makes a session, and leaves no record of a refusal", async () => {
    const world = await fleetWorld();
    const session = { ...world.home.session, id: "$9" };
    expect(await failureOf(openLaunch(world.ports, request(world, { session })))).toMatchObject({
      outcome: "refused",
      code: "session-not-running",
    });
    expect(await world.multiplexer.sessions(session.socket)).toHaveLength(1);
    expect(world.launches.list()).toEqual([]);
  });

  it("T-16 opens nothing when the rate refuses, and leaves no record", async () => {
    const world = await fleetWorld();
    const beforeOpening = () =>
      Promise.reject(new Failure("rate-limited", { code: "rate-limited", message: "Full", next: "Wait" }));
    expect(await failureOf(openLaunch(world.ports, request(world, { beforeOpening })))).toMatchObject({
      outcome: "rate-limited",
    });
    expect(world.launches.list()).toEqual([]);
    expect(await panes(world)).toBe(1);
  });

  it("T-05 leaves neither record nor pane when the pane cannot be opened or not be written down", async () => {
    const world = await fleetWorld();
    const open = () =>
      Promise.reject(new Failure("unavailable", { code: "x", message: "No answer", next: "Again" }));
    await failureOf(openLaunch(portsWith(world, { open }), request(world)));
    expect(world.launches.list()).toEqual([]);

    const full: typeof world.multiplexer.open = async (asked) => {
      const pane = await world.multiplexer.open(asked);
      world.files.setDiskFull(true);
      return pane;
    };
    expect(await failureOf(openLaunch(portsWith(world, { open: full }), request(world)))).toMatchObject({
      code: "file-full",
    });
    expect(world.launches.list()).toEqual([]);
    expect(await panes(world)).toBe(1);
  });

  it("T-15 never passes the cap under parallel spawns over two sets of ports with one state directory", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const other = { ...world.ports, launches: createLaunches(world.ports, "/state") };
    const capOf = await config("mcp_enabled = true\nmcp_max_agents = 3");
    const spawns = Array.from({ length: 10 }, (_, index) =>
      openLaunch(index % 2 === 0 ? world.ports : other, request(world, { spawnedBy: lead.id, capOf })),
    );
    const ended = await Promise.allSettled(spawns);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(ended.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []))).toEqual(
      Array.from({ length: 7 }, () => "agent-cap-reached"),
    );
    expect(await panes(world)).toBe(4);
  });

  it("T-15 counts live and pending agents that agents started, and no others", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const spawnedBy = lead.id;
    const now = (ago: number) => new Date(world.clock.now() - ago).toISOString();
    const add = (last: string, what: object) =>
      world.launches.create(sampleLaunch({ id: `abcdefghijklmnopqrstuvwx2${last}`, spawnedBy, ...what }));
    await world.launchIn(await world.openPane(), { spawnedBy });
    add("a", { createdAt: now(59_000) });
    add("b", { createdAt: now(61_000) });
    add("c", { createdAt: now(0), state: "exited" });
    add("d", { createdAt: now(0), spawnedBy: undefined });
    const ended = await world.openPane();
    const gone = await world.launchIn(ended, { spawnedBy });
    world.processTable.exit(gone.process?.pid ?? 0, { zombie: true });
    const capOf = (cap: number) => config(`mcp_enabled = true\nmcp_max_agents = ${cap}`);
    const refused = await failureOf(
      openLaunch(world.ports, request(world, { spawnedBy, capOf: await capOf(2) })),
    );
    expect(refused).toMatchObject({ code: "agent-cap-reached" });
    expect(refused.message).toMatch(/^2 agents/);
    await openLaunch(world.ports, request(world, { spawnedBy, capOf: await capOf(3) }));
  });

  it("T-15 holds no cap against a person, not even while an agent holds the lock", async () => {
    const world = await fleetWorld();
    const locks = memoryLocks(world.clock);
    locks.occupy("/state/launches/spawn.lock", 99);
    const ports = { ...world.ports, locks };
    await openLaunch(ports, request(world));
    const capOf = await config();
    expect(await failureOf(openLaunch(ports, request(world, { capOf })))).toMatchObject({ code: "busy" });
  });
});
