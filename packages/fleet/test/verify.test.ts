import { describe, expect, it } from "vitest";
import { isClaimed, type Launch, launchState, sendText, verifyLaunch, waitForState } from "../src/index.ts";
import { type FleetWorld, failureOf, fleetWorld, sampleLaunch, socket } from "./world.ts";

const verified = (world: FleetWorld, launch: Launch) => verifyLaunch(world.verifyPorts, launch.id);

describe("verifyLaunch", () => {
  it("T-11 verifies a claimed launch that is what its record says, and tells what to aim at", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    expect(await verified(world, launch)).toEqual({
      launch,
      target: { pane: world.home, serverPid: 1000, panePid: 1001 },
    });
  });

  it("T-11 still verifies in a session that was renamed", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home, {
      session: { id: world.home.session.id, name: "its old name" },
    });
    expect(await verified(world, launch)).toMatchObject({ launch: { id: launch.id } });
  });

  it.each<[string, Partial<Launch>, string, RegExp]>([
    ["pending", { state: "pending" }, "launch-pending", /has not claimed it yet/],
    [
      "replaced",
      { state: "replaced", replacedBy: "bbcdefghijklmnopqrstuvwxyz" },
      "launch-replaced",
      /replaced by bbcd/,
    ],
    ["of another server", { server: { pid: 1000, start: "1" } }, "other-server", /is not the one/],
    ["of a server with another pid", { server: { pid: 999, start: "1" } }, "other-server", /is not the one/],
    [
      "of a pane that is not in the session",
      { paneId: "%9" },
      "pane-not-listed",
      /Pane %9 .* is not in session/,
    ],
    [
      "of a session that does not exist",
      { session: { id: "$7", name: "agents" } },
      "pane-not-listed",
      /is not in session/,
    ],
  ])("T-11 refuses a launch that is %s", async (_what, what, code, sentence) => {
    const world = await fleetWorld();
    const failure = await failureOf(verified(world, await world.launchIn(world.home, what)));
    expect(failure).toMatchObject({ outcome: "refused", exitCode: 5, code });
    expect(failure.message).toMatch(sentence);
  });

  it("T-11 refuses a pane in which another process runs than the recorded one", async () => {
    const world = await fleetWorld();
    const process = world.processTable.add({ pid: 2000, parent: 1001 });
    const launch = await world.launchIn(world.home, { process });
    expect(await failureOf(verified(world, launch))).toMatchObject({
      outcome: "refused",
      code: "other-process",
    });
  });

  it("T-11 refuses an unknown launch and names the file of a damaged one", async () => {
    const world = await fleetWorld();
    expect(await failureOf(verified(world, sampleLaunch()))).toMatchObject({ code: "launch-unknown" });
    const launch = await world.caller();
    world.files.write(`/state/launches/${launch.id}.json`, "{");
    expect(await failureOf(verified(world, launch))).toMatchObject({
      outcome: "refused",
      code: "launch-unreadable",
    });
  });

  it.each<[string, (world: FleetWorld) => unknown]>([
    ["is gone", ({ processTable }) => processTable.exit(1001)],
    ["is a zombie", ({ processTable }) => processTable.exit(1001, { zombie: true })],
    ["has its pid, but started later", ({ processTable }) => processTable.reuse(1001)],
    ["left a dead pane", ({ multiplexer, home }) => multiplexer.change(home, { dead: true })],
  ])("T-08 says exited when the process %s, and marks the record", async (_what, act) => {
    const world = await fleetWorld();
    const launch = await world.caller();
    act(world);
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited", exitCode: 4 });
    expect(world.launches.read(launch.id)?.state).toBe("exited");
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited" });
  });

  it("T-08 says exited after a reboot", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home, {
      process: { pid: 1001, start: "1300", bootId: "another" },
    });
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited" });
  });

  it("T-14 marks no record where the launch's server is not seen either, as from another pid namespace", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.processTable.exit(1001);
    world.processTable.exit(launch.server?.pid ?? 0);
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited" });
    expect(world.launches.read(launch.id)?.state).toBe("claimed");
  });

  it("T-08 says exited also when the record cannot be marked", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.processTable.exit(1001);
    world.files.setDiskFull(true);
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited" });
  });

  it.each<[string, string, (world: FleetWorld) => unknown]>([
    [
      "the multiplexer does not answer",
      "multiplexer-timeout",
      ({ multiplexer }) => multiplexer.setSilent(socket, true),
    ],
    ["no server answers", "multiplexer-unreachable", ({ multiplexer }) => multiplexer.stop(socket)],
    ["its socket was deleted", "multiplexer-unreachable", ({ files }) => files.remove(socket)],
  ])("T-13 says unavailable, never exited, when %s", async (_what, code, act) => {
    const world = await fleetWorld();
    const launch = await world.caller();
    act(world);
    expect(await failureOf(verified(world, launch))).toMatchObject({
      outcome: "unavailable",
      exitCode: 7,
      code,
    });
    expect(world.launches.read(launch.id)?.state).toBe("claimed");
  });

  it("T-13 says unavailable when the process table cannot be read", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.processTable.breakWith(new Error("no /proc"));
    await expect(verified(world, launch)).rejects.toThrow("no /proc");
    world.processTable.breakWith(undefined);
    expect(world.launches.read(launch.id)?.state).toBe("claimed");
  });

  it.each<[string, string, (world: FleetWorld) => unknown]>([
    ["a file", "not-a-socket", ({ files }) => files.place(socket, "file")],
    ["another user's", "foreign-socket", ({ files }) => files.place(socket, "socket", { uid: 1001 })],
    [
      "in a directory that others write",
      "open-socket-directory",
      ({ files }) => files.setMode("/run/tmux", 0o777),
    ],
    [
      "a symlink to another user's",
      "foreign-socket",
      ({ files }) => {
        files.place("/tmp/evil", "socket", { uid: 1001 });
        files.place(socket, "symlink", { target: "/tmp/evil" });
      },
    ],
  ])("T-12 asks nothing of a socket that is %s", async (_what, code, act) => {
    const world = await fleetWorld();
    const launch = await world.caller();
    act(world);
    world.multiplexer.setSilent(socket, true);
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "refused", code });
  });

  it("T-12 takes a socket in a sticky directory", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.files.setMode("/run/tmux", 0o1777);
    expect(await verified(world, launch)).toMatchObject({ launch: { id: launch.id } });
  });

  it("T-11 types into no pane of a restarted server that has the same pane ids", async () => {
    const world = await fleetWorld();
    const launch = await world.caller();
    world.multiplexer.stop(socket);
    const again = await world.multiplexer.createSession({
      socket,
      name: "agents",
      argv: ["other", "program"],
    });
    expect(again).toEqual(world.home);
    await world.processOf(again);
    world.processTable.add({ pid: (await world.multiplexer.server(socket))?.pid ?? 0 });
    // Its own program outlived the server.
    expect(await failureOf(verified(world, launch))).toMatchObject({ code: "other-server" });
    world.processTable.exit(1001);
    expect(await failureOf(verified(world, launch))).toMatchObject({ outcome: "exited" });
    expect(world.multiplexer.received(again)).toBe("");
  });
});

describe("a record that was edited", () => {
  it("T-11 names nobody when it is claimed without pane, server or process", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home, { process: undefined });
    expect(isClaimed(launch)).toBe(false);
    const failure = await failureOf(verified(world, launch));
    expect(failure).toMatchObject({ outcome: "refused", code: "launch-unreadable" });
    expect(failure.message).toContain("process");
  });
});

describe("an agent whose pane is listed no more", () => {
  it("T-21 has the state exited, and nothing is typed for it", async () => {
    const world = await fleetWorld();
    const launch = await world.launchIn(world.home, { paneId: "%9" });
    expect(await launchState(world.ports, launch.id)).toMatchObject({ state: "exited" });
    const wait = (until: "done" | "exited") =>
      waitForState(world.ports, launch.id, {
        ...{ caller: "person", until, timeoutMs: 1_000, signal: new AbortController().signal },
        ...{ verifyCaller: async () => {}, progress: () => {} },
      });
    expect(await failureOf(wait("done"))).toMatchObject({ outcome: "exited", exitCode: 4 });
    expect(await wait("exited")).toMatchObject({ reading: { state: "exited" } });
    const send = sendText(world.ports, launch.id, "hi", {
      ...{ caller: "person", answerDialogs: false, whileWorking: "allow", turnMs: 0 },
    });
    expect(await failureOf(send)).toMatchObject({ outcome: "refused", code: "pane-not-listed" });
    expect(world.multiplexer.received(world.home)).toBe("");
  });
});
