import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStamp, stampConfig, stampKeys } from "../src/stamp.ts";
import type { Template } from "../src/templates.ts";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";
import { readyTemplate } from "./ready-template.ts";

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let world: RealWorld;
  let template: Template;
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
    template = await readyTemplate(world, "tpl-ready");
  }, 60_000);
  afterAll(() => world.end(), 60_000);

  it("X-07 gives a running copy that has its address, its own stamp, and nothing of the template's", async () => {
    const name = world.unique("b1");
    const steps: string[] = [];
    const stamp = stampConfig({ mcpOwner: world.owner, state: "creating" });
    const branched = await world.branching.branch({
      name,
      from: { template },
      stamp,
      onStep: (text) => steps.push(text),
    });
    const seen = await world.incus.instances.get(name);
    expect(readStamp(seen?.config ?? {})).toEqual({
      type: "branch",
      profile: template.name,
      parent: template.name,
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      network: "full",
      address: branched.address,
      workdir: "/home/agentuser",
      owner: world.owner,
      mcpOwner: world.owner,
      state: "creating",
    });
    expect(branched).toEqual({ name, address: expect.stringMatching(/^10\./), workdir: "/home/agentuser" });
    expect(seen?.status).toBe("Running");
    expect(steps).toEqual(["copying tpl-ready", "waiting until it is usable"]);
    const state = await world.incus.instances.state(name);
    expect(state?.network["eth0"]?.addresses.map(({ address }) => address)).toContain(branched.address);
    const resolver = await world.incus.files.read(name, "/etc/resolv.conf", { limit: 1000 });
    expect(resolver?.kind === "file" && Buffer.from(resolver.bytes).toString()).toBe(
      `nameserver ${world.host.full.gateway}\n`,
    );
  });
});
