import { describe, expect, it } from "vitest";
import { type FleetPorts, type Launch, launchState, sendText, waitForState } from "../src/index.ts";
import { type FleetWorld, failureOf, fleetWorld } from "./world.ts";

const rule = "─".repeat(40);
const idle = [rule, "❯", rule, "  ? for shortcuts"];
const working = ["✽ Thinking… (3s · ↓ 20 tokens)", rule, "❯", rule, "  esc to interrupt"];

/** An agent at its prompt box in a pane of its own, and how its hooks report. */
async function agentWorld(what: Partial<Launch> = {}) {
  const world = await fleetWorld();
  const pane = await world.openPane();
  const launch = await world.launchIn(pane, what);
  const hook = async (
    event: string,
    status: "started" | "working" | "done" | "waiting",
    turnStarted = false,
  ) => {
    const { ports } = world;
    await ports.activity.apply({
      ...{ harness: "claude", sessionId: "s", instance: "", launchId: launch.id, cwd: "/work" },
      ...{ process: launch.process, status, detail: "", tool: "", event, turnStarted },
      ...{ sequence: ports.activity.takeSequence(), ts: ports.clock.now() },
    });
    world.watch.change(world.directory);
  };
  world.multiplexer.show(pane, idle);
  await hook("SessionStart", "started");
  return { ...world, pane, launch, hook };
}

const send = (
  ports: FleetPorts,
  launch: Launch,
  what: { caller?: string; turnMs?: number; signal?: AbortSignal } = {},
) =>
  sendText(ports, launch.id, "hello", {
    ...{ caller: "person", answerDialogs: false, whileWorking: "allow", turnMs: 0, ...what },
  });

const wait = (world: Pick<FleetWorld, "ports">, launch: Launch, caller = "person") =>
  waitForState(world.ports, launch.id, {
    ...{ caller, until: "done", timeoutMs: 45_000, signal: new AbortController().signal },
    ...{ verifyCaller: async () => {}, progress: () => {} },
  });

describe("sendText and waitForState", () => {
  it("T-22 wait for the turn of the caller's own prompt", async () => {
    const world = await agentWorld();
    const { ports, launch, hook, multiplexer, pane, clock, after } = world;
    await hook("UserPromptSubmit", "working", true);
    await hook("Stop", "done");
    await send(ports, launch);
    const started = clock.monotonic();
    after(1_000, async () => {
      multiplexer.show(pane, working);
      await hook("UserPromptSubmit", "working", true);
    });
    after(3_000, async () => {
      multiplexer.show(pane, idle);
      await hook("Stop", "done");
    });
    expect(await wait(world, launch)).toMatchObject({ turnStarted: true });
    expect(clock.monotonic() - started).toBe(3_000);
  });

  it("T-22 count the 10 s without a turn from the Enter, not from when the send began", async () => {
    const world = await agentWorld();
    const { ports, launch, hook, multiplexer, pane, clock, after } = world;
    await hook("Stop", "done");
    multiplexer.show(pane, [""]);
    after(20_000, () => multiplexer.show(pane, idle));
    await send(ports, launch);
    const entered = clock.monotonic();
    expect(await wait(world, launch)).toMatchObject({ turnStarted: false });
    expect(clock.monotonic() - entered).toBeGreaterThanOrEqual(10_000);
  });

  it("T-22 keep the prompts of two callers apart: a later send of another changes nothing", async () => {
    const world = await agentWorld();
    const { ports, launch, hook, clock } = world;
    await hook("Stop", "done");
    await send(ports, launch, { caller: "person" });
    await send(ports, launch, { caller: "abcdefghijklmnopqrstuvwxyz" });
    const started = clock.monotonic();
    expect(await wait(world, launch, "somebodyelse")).toMatchObject({ turnStarted: undefined });
    expect(clock.monotonic()).toBe(started);
    expect(await wait(world, launch, "person")).toMatchObject({ turnStarted: false });
    expect(clock.monotonic() - started).toBeGreaterThan(8_000);
  });

  it("T-22 remember a prompt whose send was cancelled after the Enter", async () => {
    const world = await agentWorld();
    const { ports, launch, hook, after } = world;
    await hook("Stop", "done");
    const stop = new AbortController();
    after(500, () => stop.abort());
    const cancelled = await failureOf(send(ports, launch, { turnMs: 3_000, signal: stop.signal }));
    expect(cancelled.details).toMatchObject({ typed: true });
    expect(await wait(world, launch)).toMatchObject({ turnStarted: false });
  });

  it("T-22 remember no prompt that was refused, and forget all with a reboot", async () => {
    const world = await agentWorld();
    const { ports, launch, hook, multiplexer, pane, processTable } = world;
    await hook("Stop", "done");
    multiplexer.change(pane, { inMode: true });
    await failureOf(send(ports, launch));
    expect(await wait(world, launch)).toMatchObject({ turnStarted: undefined });
    multiplexer.change(pane, { inMode: false });
    await send(ports, launch);
    const rebooted = { ...ports, processTable: { ...processTable, bootId: () => "another" } };
    expect(await failureOf(wait({ ports: rebooted }, launch))).toMatchObject({ outcome: "exited" });
  });

  it("T-22 take a torn memory of a send for none, and refuse a hostile one without hanging", async () => {
    const world = await agentWorld();
    const { launch, hook, files } = world;
    await hook("Stop", "done");
    files.makeDirectory("/run/ta/sends");
    files.write(`/run/ta/sends/${launch.id}.person.json`, '{"boot":');
    expect(await wait(world, launch)).toMatchObject({ turnStarted: undefined });
    files.place(`/run/ta/sends/${launch.id}.person.json`, "fifo");
    expect((await failureOf(wait(world, launch))).message).toContain("FIFO");
  });

  it("T-18 queue at the launch's own lock, whatever the sender's run-time directory is", async () => {
    const { ports, launch, clock } = await agentWorld({ runtimeDirectory: "/run/launch" });
    const elsewhere = { ...ports, places: { ...ports.places, runtimeDirectory: "/run/elsewhere" } };
    const multiplexer = await ports.multiplexer("tmux");
    const paste: typeof multiplexer.paste = async (target, text) => {
      await clock.sleep(12_000);
      return multiplexer.paste(target, text);
    };
    const first = send({ ...ports, multiplexer: async () => ({ ...multiplexer, paste }) }, launch);
    expect(await failureOf(send(elsewhere, launch))).toMatchObject({ code: "busy" });
    await first;
  });
});

describe("launchState", () => {
  it("T-21 says exited for an agent that ended, and refuses a pending launch", async () => {
    const { ports, launch, processTable, launches } = await agentWorld();
    processTable.exit(launch.process?.pid ?? 0);
    expect(await launchState(ports, launch.id)).toMatchObject({ state: "exited", source: "process" });
    await launches.update(launch.id, (now) => ({ ...now, state: "pending" }));
    expect(await failureOf(launchState(ports, launch.id))).toMatchObject({
      outcome: "refused",
      code: "launch-pending",
    });
  });
});
