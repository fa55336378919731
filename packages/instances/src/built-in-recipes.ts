import type { RecipeDefinition } from "@agent-control/policy";

/** The recipes that come with isx. */
export const builtInRecipes: readonly RecipeDefinition[] = [];
