import type { RecipeFound } from "./templates.ts";

/** Why the recipes of a template cannot be put in order. */
export interface RecipeTrouble {
  /** The recipe that is named by the template or by another recipe. */
  readonly name: string;
  readonly says: string;
}

/** The named recipes and all that they require, each once, what is required first. */
export function recipeOrder(
  names: readonly string[],
  known: ReadonlyMap<string, RecipeFound>,
): { readonly order: readonly RecipeFound[] } | { readonly trouble: RecipeTrouble } {
  const order = new Map<string, RecipeFound>();
  for (const name of names) {
    const says = add(name, [], { known, order });
    if (says !== undefined) return { trouble: { name, says } };
  }
  return { order: [...order.values()] };
}

interface Walk {
  readonly known: ReadonlyMap<string, RecipeFound>;
  readonly order: Map<string, RecipeFound>;
}

/** Adds a recipe after what it requires; says what is wrong, if anything is. */
function add(name: string, above: readonly string[], walk: Walk): string | undefined {
  if (above.includes(name)) return `the tools ${[...above, name].join(" → ")} require each other in a circle`;
  const found = walk.known.get(name);
  if (!found) return missing(name, above.at(-1));
  if (walk.order.has(name)) return undefined;
  for (const required of found.recipe.requires ?? []) {
    const says = add(required, [...above, name], walk);
    if (says !== undefined) return says;
  }
  walk.order.set(name, found);
  return undefined;
}

function missing(name: string, requiredBy: string | undefined): string {
  const what = `there is no tool "${name}"`;
  return requiredBy === undefined ? what : `${what}, which "${requiredBy}" requires`;
}
