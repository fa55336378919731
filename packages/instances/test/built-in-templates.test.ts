import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";

// It fetches some hundred packages, so it is tried where time is not short.
const isWanted = process.env["CI"] === "true" || process.env["ISX_BUILD_ALL"] === "1";

describe.skipIf(incusSocket === undefined || !isWanted)("on a real Incus", () => {
  let world: RealWorld;
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
  }, 60_000);
  afterAll(() => world.end(), 60_000);

  it("X-05 builds tpl-agent with everything below it, and a template with the other built-in tools", async () => {
    world.define("name: tpl-tools\nparent: tpl-agent\ntools: [gh, podman]\n");
    const definitions = await world.templates.all();
    const built = await world.builds.build({ names: ["tpl-tools"], definitions });
    expect(built.map(({ template }) => template)).toEqual([
      "tpl-minimal",
      "tpl-dev",
      "tpl-agent",
      "tpl-tools",
    ]);
    const template = definitions.require("tpl-tools");
    expect(template.agents.map(({ name }) => name)).toEqual(["claude", "codex", "opencode"]);
    const name = world.unique("agent");
    await world.branching.branch({ name, from: { template }, stamp: {} });
    const command =
      "for p in claude codex opencode node gh podman rg; do $p --version > /dev/null || echo no $p; done";
    const { stdout, stderr } = await world.guest.exec(name, { command, maxOutputBytes: 4096 });
    expect(`${stdout.text}${stderr.text}`).toBe("");
  }, 600_000);
});
