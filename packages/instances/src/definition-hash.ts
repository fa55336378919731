import { createHash } from "node:crypto";
import type { DefinitionFound, RecipeFound } from "./templates.ts";

/** Raised when a build makes something else of the same definitions. */
const buildGeneration = 1;

/** Keys that are read when an instance is made or used, and that no build looks at. */
const notBuilt = new Set([
  "description",
  "defaultAction",
  "shellCommand",
  "network",
  "resources",
  "coordinator",
  "accounts",
  "domains",
]);

/** SHA-256, in hex, of what a build depends on: the definitions of the chain and the recipes. */
export function definitionHash(chain: readonly DefinitionFound[], recipes: readonly RecipeFound[]): string {
  const parts = [
    buildGeneration,
    chain.map(({ definition }) => built(definition)),
    recipes.map(({ recipe }) => built(recipe)),
  ];
  return createHash("sha256").update(JSON.stringify(parts, sortedKeys)).digest("hex");
}

function built(definition: object): object {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !notBuilt.has(key)));
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
