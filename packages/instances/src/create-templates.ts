import { join } from "node:path";
import type { Files } from "@agent-control/base";
import {
  type IsxConfig,
  parseRecipeDefinition,
  parseTemplateDefinition,
  type RecipeDefinition,
  type TemplateDefinition,
} from "@agent-control/policy";
import { builtInRecipes } from "./built-in-recipes.ts";
import { builtInTemplates } from "./built-in-templates.ts";
import type { DefinitionDirectory } from "./definition-directory.ts";
import { layerDefinitions } from "./layered-definitions.ts";
import { createTemplateSet } from "./template-set.ts";
import type { Layer, TemplateSet, Templates } from "./templates.ts";

export interface TemplatesParts {
  readonly files: Files;
  /** `$XDG_CONFIG_HOME/incus-spawn`: its images/ and tools/ are the user's own. */
  readonly configDirectory: string;
  /** Where a project's `.incus-spawn/` is looked for; undefined: no project. */
  readonly projectDirectory: string | undefined;
  /** `config.yaml` as it is now; what it throws, `all` and `trusted` throw. */
  config(): Promise<Pick<IsxConfig, "searchPaths" | "baseImage">>;
}

/** The template definitions of this user: built in, own, shared by search paths, and the project's. */
export function createTemplates(parts: TemplatesParts): Templates {
  async function read(isTrusted: boolean): Promise<TemplateSet> {
    const config = await parts.config();
    const roots = layerRoots(parts, config.searchPaths, isTrusted);
    const images = roots.map((root) => directory(root, "images", parseTemplateDefinition));
    const tools = roots.map((root) => directory(root, "tools", parseRecipeDefinition));
    return createTemplateSet({
      templates: await layerDefinitions(parts.files, builtInTemplates(config.baseImage), images),
      recipes: await layerDefinitions(parts.files, builtInRecipes, tools),
    });
  }
  return { all: () => read(false), trusted: () => read(true) };
}

interface LayerRoot {
  readonly path: string;
  readonly layer: Layer;
}

function layerRoots(
  { configDirectory, projectDirectory }: TemplatesParts,
  searchPaths: readonly string[],
  isTrusted: boolean,
): readonly LayerRoot[] {
  const project = isTrusted || projectDirectory === undefined ? [] : [join(projectDirectory, ".incus-spawn")];
  return [
    { path: configDirectory, layer: "user" },
    ...searchPaths.map((path) => ({ path, layer: "search-path" }) as const),
    ...project.map((path) => ({ path, layer: "project" }) as const),
  ];
}

function directory<T extends RecipeDefinition | TemplateDefinition>(
  { path, layer }: LayerRoot,
  below: string,
  parse: DefinitionDirectory<T>["parse"],
): DefinitionDirectory<T> {
  return { path: join(path, below), layer, parse };
}
