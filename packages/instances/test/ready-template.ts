import { stampConfig } from "../src/stamp.ts";
import { stampTemplate } from "../src/stamp-template.ts";
import type { Template } from "../src/templates.ts";
import type { RealWorld } from "./branching-world.ts";

/** A template that is built already: the image as it is, with some keys that no copy may keep. */
export async function readyTemplate(world: RealWorld, name: string, rest = ""): Promise<Template> {
  const { incus, templates, names } = world;
  world.define(`name: ${name}\nimage: base\n${rest}`);
  const template = (await templates.all()).require(name);
  await incus.instances.create({
    name,
    source: { type: "image", alias: "base" },
    profiles: [names.profile],
    config: stampConfig({
      type: "rebuilding",
      grant: "secret",
      session: "1-2-3",
      purpose: "old",
      address: "10.0.0.9",
    }),
  });
  await incus.files.write(name, "/etc/machine-id", "", { mode: 0o444, uid: 0, gid: 0 });
  await stampTemplate({ ...world, clock: world.machine.clock }, name, template);
  return template;
}
