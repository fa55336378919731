import { Failure, nearest } from "@agent-control/base";
import type { RecipeDefinition, TemplateDefinition } from "@agent-control/policy";
import { definitionHash } from "./definition-hash.ts";
import type { Layered, LayeredDefinitions } from "./layered-definitions.ts";
import { mergeTemplates } from "./merge-templates.ts";
import { recipeOrder } from "./recipe-order.ts";
import { templateAgents } from "./template-agents.ts";
import type { DefinitionFound, RecipeFound, Template, TemplateSet } from "./templates.ts";

export interface DefinitionsFound {
  readonly templates: LayeredDefinitions<TemplateDefinition>;
  readonly recipes: LayeredDefinitions<RecipeDefinition>;
}

/** Puts every template's chain together; a template whose chain or tools are broken is a problem instead. */
export async function createTemplateSet(found: DefinitionsFound): Promise<TemplateSet> {
  const templates = new Map<string, Template>();
  const broken = new Map(found.templates.spoiled);
  const problems = [...found.templates.problems, ...found.recipes.problems];
  for (const name of [...found.templates.found.keys()].sort()) {
    const put = await putTogether(name, found);
    if (typeof put !== "string") templates.set(name, put);
    else {
      broken.set(name, put);
      problems.push(put);
    }
  }
  return {
    templates,
    problems: [...new Set(problems)],
    require: (name) => templates.get(name) ?? fail(name, templates, broken.get(name)),
  };
}

/** The template, or what is wrong with it. */
async function putTogether(name: string, found: DefinitionsFound): Promise<Template | string> {
  const chain = await chainOf(name, found.templates);
  if (typeof chain === "string") return chain;
  const recipes = await recipesOf(chain, found.recipes);
  if (typeof recipes === "string") return recipes;
  const definitions = chain.map(asDefinitionFound);
  return {
    name,
    chain: definitions,
    merged: mergeTemplates(definitions),
    recipes,
    projectLocal: [...chain, ...recipes].some(({ layer }) => layer === "project"),
    definitionHash: definitionHash(definitions, recipes),
    agents: templateAgents(recipes),
  };
}

type Chain = readonly Layered<TemplateDefinition>[];

async function chainOf(
  name: string,
  { found, spoiled }: LayeredDefinitions<TemplateDefinition>,
): Promise<Chain | string> {
  const chain: Layered<TemplateDefinition>[] = [];
  const names: string[] = [];
  for (let next: string | undefined = name; next !== undefined; ) {
    const layered = found.get(next);
    const child = chain[0];
    if (names.includes(next)) return `${await parentPlace(child)}: ${circle([...names, next])}`;
    if (layered === undefined) {
      return `${await parentPlace(child)}: ${missingParent(next, found.keys(), spoiled.get(next))}`;
    }
    names.push(next);
    chain.unshift(layered);
    next = layered.value.parent;
  }
  const root = chain[0];
  if (root?.value.image !== undefined) return chain;
  return `${await root?.placeOf(["name"])}: "${names.at(-1)}" has neither a parent nor an image`;
}

async function parentPlace(child: Layered<TemplateDefinition> | undefined): Promise<string> {
  if (child === undefined) throw new Error("A template that was found is the first of its chain");
  return child.placeOf(["parent"]);
}

function circle(names: readonly string[]): string {
  return `the parents ${names.join(" → ")} go round in a circle`;
}

function missingParent(name: string, known: Iterable<string>, spoiled: string | undefined): string {
  if (spoiled !== undefined) return `its parent "${name}" is broken: ${spoiled}`;
  const meant = nearest(name, known);
  return `there is no template "${name}" to be its parent${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

async function recipesOf(
  chain: Chain,
  { found, spoiled }: LayeredDefinitions<RecipeDefinition>,
): Promise<readonly RecipeFound[] | string> {
  const known = new Map([...found].map(([name, layered]) => [name, asRecipeFound(layered)]));
  const names = chain.flatMap(({ value }) => value.tools ?? []);
  const result = recipeOrder(names, known);
  if ("order" in result) return result.order;
  const { name, says } = result.trouble;
  const user = chain.find(({ value }) => value.tools?.includes(name));
  const place = await user?.placeOf(["tools", user.value.tools?.indexOf(name) ?? 0]);
  const why = spoiled.get(name);
  return `${place}: ${says}${why === undefined ? "" : `: ${why}`}`;
}

function asDefinitionFound({ value, source, layer }: Layered<TemplateDefinition>): DefinitionFound {
  return { definition: value, source, layer };
}

function asRecipeFound({ value, source, layer }: Layered<RecipeDefinition>): RecipeFound {
  return { recipe: value, source, layer };
}

function fail(name: string, known: ReadonlyMap<string, Template>, problem: string | undefined): never {
  const meant = nearest(name, known.keys());
  const missing = `There is no template "${name}"`;
  throw new Failure("refused", {
    code: "template-unknown",
    message: problem === undefined ? missing : `The template "${name}" cannot be used: ${problem}`,
    next: next(problem, meant),
    details: { template: name },
  });
}

function next(problem: string | undefined, meant: string | undefined): string {
  if (problem !== undefined) return "Correct that file and try again";
  return meant === undefined ? "List the templates that there are" : `Did you mean "${meant}"?`;
}
