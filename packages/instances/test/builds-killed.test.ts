import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStamp } from "../src/stamp.ts";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";
import { buildFixture, type Fixture } from "./build-fixture.ts";

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let world: RealWorld;
  let fixture: Fixture;
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
    fixture = await buildFixture("builds-templates");
    world.define("name: tpl-killed\nimage: base\nrun: [date > /built]\n");
  }, 60_000);
  afterAll(async () => {
    fixture.remove();
    await world.end();
  }, 60_000);

  /** Builds in a process of its own and kills that `afterMs` after it said the step; undefined: lets it end. */
  async function build(kill?: { readonly step: string; readonly afterMs: number }): Promise<void> {
    const place = { ...world, socketPath: incusSocket };
    const fields = ["socketPath", "project", "uid", "owner", "configDirectory", "lockDirectory"];
    const child = spawn(process.execPath, [fixture.program, JSON.stringify(place, fields), "tpl-killed"]);
    child.stderr.pipe(process.stderr);
    const exited = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) {
      if (line !== kill?.step) continue;
      await world.machine.clock.sleep(kill.afterMs);
      child.kill("SIGKILL");
    }
    await exited;
  }

  async function present(): Promise<readonly string[]> {
    return (await world.incus.instances.list()).map(({ name }) => name).sort();
  }

  it("X-83 leaves the old or the new image in place when a build is killed while it swaps, whenever that is", async () => {
    await build();
    let last = await createdAt();
    for (const afterMs of [0, 4, 8, 12, 16, 24, 32, 48]) {
      await build({ step: "putting it in place", afterMs });
      await world.builds.repair();
      expect(await present()).toEqual(["tpl-killed"]);
      const now = await createdAt();
      expect(now > last).toBe(true);
      last = now;
    }
  }, 120_000);

  it("X-83 keeps the old image when a build is killed before it is complete, and the next one removes what is left", async () => {
    const before = await createdAt();
    for (const step of ["instance of base", "waiting until it has booted", "run 1 of 1", "sealing"]) {
      await build({ step, afterMs: 20 });
      expect(await present()).toContain("tpl-killed");
      await world.builds.repair();
      expect(await present()).toEqual(["tpl-killed"]);
      expect(await createdAt()).toBe(before);
    }
    const template = (await world.templates.all()).require("tpl-killed");
    await world.branching.branch({ name: world.unique("k1"), from: { template }, stamp: {} });
  }, 120_000);

  async function createdAt(): Promise<string> {
    const { created } = readStamp((await world.incus.instances.get("tpl-killed"))?.config ?? {});
    if (created === undefined) throw new Error("tpl-killed is not there");
    return created;
  }
});
