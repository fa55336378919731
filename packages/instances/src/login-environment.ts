import type { Template } from "./templates.ts";

/** The environment that the recipes and then the templates of the chain ask for, the nearest winning. */
export function loginEnvironment({ recipes, merged }: Template): Readonly<Record<string, string>> {
  return Object.assign({}, ...recipes.map(({ recipe }) => recipe.env), merged.env);
}

/** A file for /etc/profile.d that sets exactly these values in every login shell. */
export function renderLoginEnvironment(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return `# Written by isx build; changes are lost.\n${lines.join("")}`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
