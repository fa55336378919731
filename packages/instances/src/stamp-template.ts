import { Failure } from "@agent-control/base";
import type { BuildParts } from "./build-parts.ts";
import type { BuildSource } from "./built-templates.ts";
import { nicName } from "./nic-devices.ts";
import { stampConfig } from "./stamp.ts";
import type { Template } from "./templates.ts";

/** Says on a sealed instance that it is the template now, and gives its address back. */
export async function stampTemplate(
  { incus, owner, clock }: Pick<BuildParts, "incus" | "owner" | "clock">,
  instance: string,
  template: Template,
): Promise<void> {
  const config = stampConfig({
    type: "template",
    profile: template.name,
    parent: template.merged.parent,
    created: new Date(clock.now()).toISOString(),
    buildSource: JSON.stringify(buildSource(template)),
    definitionHash: template.definitionHash,
    owner,
    address: undefined,
    network: undefined,
  });
  for (let tries = 0; tries < 10; tries += 1) {
    const seen = await incus.instances.get(instance);
    if (!seen) break;
    if (await incus.instances.change(instance, { config, devices: { [nicName]: null } }, seen.etag)) return;
  }
  throw new Failure("error", {
    code: "build-lost",
    message: `The instance ${instance} was changed or removed by someone else while it was built`,
    next: "Build again",
  });
}

function buildSource({ chain, recipes, projectLocal }: Template): BuildSource {
  return {
    definitions: Object.fromEntries(chain.map(({ definition, source }) => [definition.name, source])),
    recipes: Object.fromEntries(recipes.map(({ recipe, source }) => [recipe.name, source])),
    projectLocal,
  };
}
