import type { InstanceSeen } from "@agent-control/incus";
import { readStamp } from "./stamp.ts";
import { isComplete } from "./template-swap.ts";
import type { BuiltTemplate, TemplateSet } from "./templates.ts";

/** What a template was built from; JSON in its stamp. Guest root can read it. */
export interface BuildSource {
  /** Template name → "built-in" or file, the root first. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Recipe name → "built-in" or file. */
  readonly recipes: Readonly<Record<string, string>>;
  readonly projectLocal: boolean;
}

export interface DefinitionsNow {
  readonly trusted: TemplateSet;
  readonly all: TemplateSet;
}

/** The built templates among the instances, by name. */
export function builtTemplates(
  instances: readonly InstanceSeen[],
  owner: string,
  definitions: DefinitionsNow,
): ReadonlyMap<string, BuiltTemplate> {
  const builds = instances.filter((seen) => isComplete(seen, seen.name, owner)).map(asBuild);
  const byName = new Map(builds.map((build) => [build.name, build]));
  return new Map(
    builds.map((seen) => {
      const { parent, ...build } = seen;
      const parentBuiltAt = parent === undefined ? undefined : byName.get(parent)?.builtAt;
      const isOlder = parentBuiltAt !== undefined && parentBuiltAt > build.builtAt;
      return [build.name, { ...build, stale: isOlder || isOutOfDate(seen, definitions) }];
    }),
  );
}

/** True unless the stamp says otherwise: what cannot be read is not trusted. */
export function wasProjectLocal(stamped: string | undefined): boolean {
  try {
    const source: unknown = JSON.parse(stamped ?? "");
    return !(
      typeof source === "object" &&
      source !== null &&
      "projectLocal" in source &&
      source.projectLocal === false
    );
  } catch {
    return true;
  }
}

type Build = Omit<BuiltTemplate, "stale"> & { readonly parent: string | undefined };

function asBuild({ name, config, createdAt }: InstanceSeen): Build {
  const { created, parent, definitionHash, buildSource } = readStamp(config);
  return {
    name,
    parent,
    builtAt: created ?? createdAt,
    definitionHash: definitionHash ?? "",
    projectLocal: wasProjectLocal(buildSource),
  };
}

// A definition that is gone makes nothing out of date: there is nothing to build it from.
function isOutOfDate(build: Build, { trusted, all }: DefinitionsNow): boolean {
  const now = (build.projectLocal ? all : trusted).templates.get(build.name);
  return now !== undefined && now.definitionHash !== build.definitionHash;
}
