import type { BuiltTemplate, Template, TemplateSet } from "./templates.ts";

export interface OrderedBuild {
  readonly template: Template;
  /** What it is copied from; undefined: an image. */
  readonly parent: Template | undefined;
}

/**
 * What has to be built so that the named templates are, parents first: the named ones, and of their parents those that
 * are missing, out of date, or whose own parent is built anew. Throws for a name that is no template.
 */
export function buildOrder(
  names: readonly string[],
  definitions: TemplateSet,
  built: ReadonlyMap<string, BuiltTemplate>,
): readonly OrderedBuild[] {
  const wanted = new Set(names);
  const order = new Map<string, OrderedBuild>();
  for (const name of names) {
    for (const template of chainOf(definitions.require(name), definitions)) {
      const { parent: parentName } = template.merged;
      const parent = parentName === undefined ? undefined : definitions.require(parentName);
      const isDue = wanted.has(template.name) || isOutOfDate(template, built);
      const isBelowNew = parent !== undefined && order.has(parent.name);
      if (isDue || isBelowNew) order.set(template.name, { template, parent });
    }
  }
  return [...order.values()];
}

function chainOf(template: Template, definitions: TemplateSet): readonly Template[] {
  return template.chain.map(({ definition }) => definitions.require(definition.name));
}

function isOutOfDate(template: Template, built: ReadonlyMap<string, BuiltTemplate>): boolean {
  const build = built.get(template.name);
  return build === undefined || build.stale || build.definitionHash !== template.definitionHash;
}
