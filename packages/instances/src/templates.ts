import type { RecipeDefinition, TemplateDefinition } from "@agent-control/policy";

/** A template with its whole chain of parents put together. */
export interface Template {
  readonly name: string;
  /** The root first, the template itself last. */
  readonly chain: readonly DefinitionFound[];
  /** The chain merged: lists added up, scalars nearest wins. `parent` is the leaf's own. */
  readonly merged: TemplateDefinition;
  /** The recipes of the whole chain with those that they require, in the order in which they are installed. */
  readonly recipes: readonly RecipeFound[];
  /** True when it, any parent or any recipe is project-local: never for MCP. */
  readonly projectLocal: boolean;
  /** SHA-256 of what a build depends on; description and default-action do not count. */
  readonly definitionHash: string;
  /** Agents that its recipes install, in the order claude, codex, pi, opencode, then the others. */
  readonly agents: readonly { readonly name: string; readonly delegate: boolean }[];
}

/** Where a definition comes from; of two with one name the later layer wins. */
export type Layer = "built-in" | "user" | "search-path" | "project";

export interface DefinitionFound {
  readonly definition: TemplateDefinition;
  /** "built-in" or the path of its file. */
  readonly source: string;
  readonly layer: Layer;
}

export interface RecipeFound {
  readonly recipe: RecipeDefinition;
  /** "built-in" or the path of its file. */
  readonly source: string;
  readonly layer: Layer;
}

/** Built: an instance of type template is there under this name. */
export interface BuiltTemplate {
  readonly name: string;
  /** ISO-8601. */
  readonly builtAt: string;
  readonly definitionHash: string;
  /** True when any definition it was built from was project-local. */
  readonly projectLocal: boolean;
  /** True when its definition or its parent's build is newer. */
  readonly stale: boolean;
}

/** The definitions that are there now; read afresh each time. */
export interface Templates {
  /** Every layer; what cannot be read or parsed is in `problems` and leaves its name out. */
  all(): Promise<TemplateSet>;
  /** Without the project's layer: what MCP may use. A project file changes nothing here, not even a parent. */
  trusted(): Promise<TemplateSet>;
}

export interface TemplateSet {
  /** Throws a Failure (`refused`, code `template-unknown`) with the nearest name, or the problem of its chain. */
  require(name: string): Template;
  readonly templates: ReadonlyMap<string, Template>;
  /** One sentence each, with file, line and column. */
  readonly problems: readonly string[];
}
