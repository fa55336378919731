import { stampConfig } from "../src/stamp.ts";
import { stampTemplate } from "../src/stamp-template.ts";
import type { Template } from "../src/templates.ts";
import type { RealWorld } from "./branching-world.ts";

export interface Ready {
  readonly name: string;
  /** The text of a resolv.conf of its own. */
  readonly resolver?: string;
  readonly projectLocal?: boolean;
  /** Network interfaces that it has itself, besides the profile's. */
  readonly nics?: readonly string[];
}

/** A template that is built already: the image as it is, with stamps that no copy may keep. */
export async function readyTemplate(world: RealWorld, ready: Ready): Promise<Template> {
  const { incus, templates, names } = world;
  const { name, nics = [], resolver, projectLocal = false } = ready;
  world.define(`name: ${name}\nimage: base\n`);
  const template = (await templates.all()).require(name);
  await incus.instances.create({
    name,
    source: { type: "image", alias: "base" },
    profiles: [names.profile],
    config: stampConfig({ type: "rebuilding", grant: "secret", session: "1-2-3", purpose: "old" }),
    devices: Object.fromEntries(nics.map((nic) => [nic, { type: "nic", name: nic, network: names.full }])),
  });
  if (resolver !== undefined) {
    const owned = { mode: 0o644, uid: 0, gid: 0 };
    await incus.files.remove(name, "/etc/resolv.conf");
    await incus.files.write(name, "/etc/resolv.conf", resolver, owned);
  }
  await stampTemplate({ ...world, clock: world.machine.clock }, name, { ...template, projectLocal });
  return template;
}
