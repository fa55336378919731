import type { TemplateDefinition } from "@agent-control/policy";
import type { DefinitionFound } from "./templates.ts";

/**
 * A chain of definitions, the root first, as one: lists add up, maps add up by key, of everything else the
 * nearest to the leaf wins. `coordinator` is taken whole from the nearest definition that sets either of its keys,
 * and is left out when any definition is project-local. `parent` is the leaf's own.
 */
export function mergeTemplates(chain: readonly DefinitionFound[]): TemplateDefinition {
  const definitions = chain.map((found) => found.definition);
  const { parent: _, coordinator: __, ...rest } = definitions.reduce(mergeTwo);
  const parent = definitions.at(-1)?.parent;
  const trusted = chain.every((found) => found.layer !== "project");
  const coordinator = trusted ? nearestCoordinator(definitions) : undefined;
  return { ...rest, ...(parent && { parent }), ...(coordinator && { coordinator }) };
}

function mergeTwo(parent: TemplateDefinition, child: TemplateDefinition): TemplateDefinition {
  return {
    ...parent,
    ...child,
    ...addedUp("packages", parent, child),
    ...addedUp("removePackages", parent, child),
    ...addedUp("tools", parent, child),
    ...addedUp("skills", parent, child),
    ...addedUp("repos", parent, child),
    ...addedUp("files", parent, child),
    ...addedUp("run", parent, child),
    ...addedUp("runAsUser", parent, child),
    ...(parent.env && { env: { ...parent.env, ...child.env } }),
    ...(parent.accounts && { accounts: { ...parent.accounts, ...child.accounts } }),
    ...(parent.resources && { resources: { ...parent.resources, ...child.resources } }),
  };
}

type ListKey = "packages" | "removePackages" | "tools" | "skills" | "repos" | "files" | "run" | "runAsUser";

/** A name that both list stays once; a command that both run is run twice. */
function addedUp(key: ListKey, parent: TemplateDefinition, child: TemplateDefinition): TemplateLists {
  const values: readonly unknown[] = [...(parent[key] ?? []), ...(child[key] ?? [])];
  if (values.length === 0) return {};
  const isCommands = key === "run" || key === "runAsUser";
  return { [key]: isCommands ? values : [...new Set(values)] };
}

type TemplateLists = Partial<Pick<TemplateDefinition, ListKey>>;

function nearestCoordinator(definitions: readonly TemplateDefinition[]): TemplateDefinition["coordinator"] {
  const setting = definitions.findLast(({ coordinator }) => {
    return coordinator?.controlOver !== undefined || coordinator?.isxControlCapability !== undefined;
  });
  return setting?.coordinator;
}
