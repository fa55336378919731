import { Failure } from "@agent-control/base";
import type { TongsConfig } from "@agent-control/policy";
import { describe, expect, it } from "vitest";
import {
  type ControlGate,
  callerGates,
  createControlContext,
  type Launch,
  openLaunch,
  sendText,
  sessionOf,
  spawnGates,
  targetGates,
  withSlot,
} from "../src/index.ts";
import { config, type FleetWorld, failureOf, fleetWorld, profile, sampleLaunch } from "./world.ts";

interface Call {
  readonly config?: TongsConfig | (() => TongsConfig);
  readonly launchId?: string | undefined;
  readonly launch_id?: string;
  readonly profile?: string;
}

/** The code of the first gate that says no, and its sentence. */
async function firstNo(world: FleetWorld, gates: readonly ControlGate<never>[], call: Call) {
  const today = call.config ?? (await config());
  const context = createControlContext(
    world.ports,
    call.launchId,
    typeof today === "function" ? today : () => today,
  );
  for (const gate of gates) {
    try {
      const decision = await gate(context, call as never);
      if (!decision.allow)
        return { code: decision.code, sentence: decision.reason, outcome: decision.outcome };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { code: error.code, sentence: error.message, outcome: error.outcome };
    }
  }
  return undefined;
}

/** Of an earlier launch in a pane. */
const ended = { pid: 900, start: "1", bootId: "b" };

const spawning = [...callerGates, ...spawnGates] as readonly ControlGate<never>[];
const targeting = [...callerGates, ...targetGates] as readonly ControlGate<never>[];

describe("the gates of a control call", () => {
  it("T-15 decide in the page's order for a spawn: every gate hides all that come after it", async () => {
    const nested = { spawnedBy: sampleLaunch().id };
    const off = await config("mcp_enabled = false");
    const steps: readonly (Call & { readonly as?: Partial<Launch> })[] = [
      { config: off, profile: "gone" },
      { profile: "gone" },
      { launchId: sampleLaunch().id, profile: "gone" },
      { as: { ...nested, profile: "gone" }, profile: "gone" },
      { as: { ...nested, profile: "other" }, profile: "gone" },
      { as: { ...nested, profile: "lead" }, profile: "gone" },
      { as: { profile: "lead" }, profile: "gone" },
      { as: { profile: "lead" }, profile: "other" },
      { as: { profile: "lead" }, profile: "worker" },
    ];
    const answers = [];
    for (const { as, ...call } of steps) {
      const world = await fleetWorld();
      const caller = as && { launchId: (await world.launchIn(world.home, as)).id };
      answers.push(await firstNo(world, spawning, { ...call, ...caller }));
    }
    expect(answers.map((answer) => answer?.code)).toEqual([
      "control-disabled",
      "caller-unknown",
      "caller-record-missing",
      "caller-profile-unknown",
      "caller-profile-not-opted-in",
      "nested-spawn-disabled",
      "spawn-profile-unknown",
      "spawn-profile-not-opted-in",
      undefined,
    ]);
    const refusals = answers.filter((answer) => answer !== undefined);
    expect(new Set(refusals.map(({ sentence }) => sentence)).size).toBe(refusals.length);
    expect(new Set(refusals.map(({ outcome }) => outcome))).toEqual(new Set(["refused"]));
  });

  it("T-15 decide in the page's order for a target", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const pane = await world.openPane();
    const inOwnPane = await world.launchIn(world.home, { profile: "other", process: ended });
    const optedOut = await world.launchIn(pane, { profile: "other" });
    const foreign = await world.launchIn(pane, { spawnedBy: inOwnPane.id });
    const orphan = await world.launchIn(pane);
    const mine = await world.launchIn(pane, { spawnedBy: lead.id });
    const off = await config("mcp_enabled = false");
    const steps: readonly Call[] = [
      { config: off, launch_id: "gone" },
      { launch_id: "gone" },
      { launchId: lead.id, launch_id: "gone" },
      { launchId: lead.id, launch_id: lead.id },
      { launchId: lead.id, launch_id: inOwnPane.id },
      { launchId: lead.id, launch_id: optedOut.id },
      { launchId: lead.id, launch_id: foreign.id },
      { launchId: lead.id, launch_id: orphan.id },
      { launchId: lead.id, launch_id: mine.id },
      {
        launchId: lead.id,
        launch_id: foreign.id,
        config: await config("mcp_enabled = true\nmcp_any_target = true"),
      },
    ];
    const answers = [];
    for (const step of steps) answers.push((await firstNo(world, targeting, step))?.code);
    expect(answers).toEqual([
      "control-disabled",
      "caller-unknown",
      "launch-unknown",
      "target-is-caller",
      "target-in-callers-pane",
      "target-profile-not-opted-in",
      "target-not-owned",
      "target-not-owned",
      undefined,
      undefined,
    ]);
  });

  it("T-03 refuse with the mistake when the file of today is invalid, before anything else", async () => {
    const world = await fleetWorld();
    const invalid = () => {
      throw new Failure("refused", {
        code: "config-invalid",
        message: "config.toml:3:1",
        next: "Correct it",
      });
    };
    expect(await firstNo(world, targeting, { config: invalid, launch_id: "gone" })).toMatchObject({
      code: "config-invalid",
    });
  });

  it("T-15 let a nested caller spawn where that is allowed", async () => {
    const world = await fleetWorld();
    const nested = await world.launchIn(world.home, { profile: "lead", spawnedBy: sampleLaunch().id });
    const allowing = await config("mcp_enabled = true\nmcp_nested_spawn = true");
    expect(
      await firstNo(world, spawning, { config: allowing, launchId: nested.id, profile: "worker" }),
    ).toBeUndefined();
  });

  it("T-15 take a pane with the same id for the caller's own, whatever its session", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const target = await world.launchIn(world.home, {
      session: { id: "$5", name: "another" },
      process: ended,
      spawnedBy: lead.id,
    });
    expect(await firstNo(world, targeting, { launchId: lead.id, launch_id: target.id })).toMatchObject({
      code: "target-in-callers-pane",
    });
  });

  it("T-15 take a pending target, which has no pane yet, for another's", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    world.launches.create(sampleLaunch({ spawnedBy: lead.id }));
    expect(
      await firstNo(world, targeting, { launchId: lead.id, launch_id: sampleLaunch().id }),
    ).toBeUndefined();
  });

  it("T-15 prove the caller once for the whole call", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const context = createControlContext(world.ports, lead.id, () => {
      throw new Error("not asked");
    });
    expect(context.caller()).toBe(context.caller());
    expect(await context.caller()).toEqual(lead);
  });
});

describe("what is asked after the gates", () => {
  it("T-15 for a spawn: the cap, then the session, then the rate, and a refusal leaves no record", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    const capped = await config("mcp_enabled = true\nmcp_max_agents = 1");
    world.launches.create(
      sampleLaunch({ spawnedBy: lead.id, createdAt: new Date(world.clock.now()).toISOString() }),
    );
    const gone = { socket: world.home.session.socket, id: "$9", name: "gone" };
    const spawn = (session: typeof gone, today: TongsConfig, limit: number) =>
      failureOf(
        withSlot(world.ports, { caller: lead.id, kind: "spawn", limit }, (reserve) =>
          openLaunch(world.ports, {
            ...{ profile: profile(), multiplexer: "tmux", session, baseDirectory: "/work" },
            ...{ spawnedBy: lead.id, capOf: today, beforeOpening: reserve },
          }),
        ),
      );
    const roomy = await config();
    expect(await spawn(gone, capped, 0)).toMatchObject({ outcome: "refused", code: "agent-cap-reached" });
    expect(await spawn(gone, roomy, 0)).toMatchObject({ outcome: "refused", code: "session-not-running" });
    expect(await spawn(sessionOf(lead), roomy, 0)).toMatchObject({ outcome: "rate-limited", exitCode: 5 });
    expect(world.launches.list()).toHaveLength(2);
    expect(await world.multiplexer.panes(world.home.session)).toHaveLength(1);
  });

  it("T-15 for a send: the rate, then the target's verification, which gives the slot back", async () => {
    const world = await fleetWorld();
    const lead = await world.caller();
    world.launches.create(sampleLaunch({ spawnedBy: lead.id }));
    const send = (limit: number) =>
      failureOf(
        withSlot(world.ports, { caller: lead.id, kind: "send", limit }, async (reserve) => {
          await reserve();
          return sendText(world.ports, sampleLaunch().id, "hi", {
            ...{ caller: lead.id, answerDialogs: false, whileWorking: "allow", turnMs: 0 },
          });
        }),
      );
    expect(await send(0)).toMatchObject({ outcome: "rate-limited" });
    expect(await send(1)).toMatchObject({ outcome: "refused", code: "launch-pending" });
    expect(await send(1)).toMatchObject({ outcome: "refused", code: "launch-pending" });
  });
});
