import type { RecipeFound, Template } from "./templates.ts";

/** Agents in the order in which one is chosen when a call names none. */
const preference: readonly string[] = ["claude", "codex", "pi", "opencode"];

/** The agents that the recipes install, each once. */
export function templateAgents(recipes: readonly RecipeFound[]): Template["agents"] {
  const agents = new Map(
    recipes.flatMap(({ recipe }) => (recipe.agent ? [[recipe.agent.name, recipe.agent] as const] : [])),
  );
  return [...agents.values()].sort((a, b) => rank(a.name) - rank(b.name));
}

function rank(name: string): number {
  const index = preference.indexOf(name);
  return index < 0 ? preference.length : index;
}
