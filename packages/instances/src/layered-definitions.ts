import { type Files, shownText } from "@agent-control/base";
import { placeInYaml } from "@agent-control/policy";
import { type DefinitionDirectory, readDefinitions } from "./definition-directory.ts";
import type { Layer } from "./templates.ts";

export interface Layered<T> {
  readonly value: T;
  /** "built-in" or the path of its file. */
  readonly source: string;
  readonly layer: Layer;
  /** `<file>:<line>:<column>` of a value in it. */
  placeOf(keyPath: readonly (string | number)[]): Promise<string>;
}

export interface LayeredDefinitions<T> {
  /** By name; the latest layer wins. */
  readonly found: ReadonlyMap<string, Layered<T>>;
  /** Names whose latest layer is broken, with what is wrong. */
  readonly spoiled: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** Definitions of all layers put over each other, the built-in ones lowest, then the directories in their order. */
export async function layerDefinitions<T extends { readonly name: string }>(
  files: Files,
  builtIn: readonly T[],
  directories: readonly DefinitionDirectory<T>[],
): Promise<LayeredDefinitions<T>> {
  const found = new Map<string, Layered<T>>(builtIn.map((value) => [value.name, asBuiltIn(value)]));
  const spoiled = new Map<string, string>();
  const problems: string[] = [];
  for (const directory of directories) {
    const read = await readDefinitions(files, directory);
    problems.push(...read.problems);
    for (const [name, file] of read.found) {
      found.set(name, { ...file, source: file.path, layer: directory.layer, placeOf: placesIn(file) });
      spoiled.delete(name);
    }
    for (const [name, problem] of read.spoiled) {
      found.delete(name);
      spoiled.set(name, problem);
    }
  }
  return { found, spoiled, problems };
}

function asBuiltIn<T extends { readonly name: string }>(value: T): Layered<T> {
  return {
    value,
    source: "built-in",
    layer: "built-in",
    placeOf: async () => `the built-in definition ${value.name}`,
  };
}

function placesIn({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }) {
  return async (keyPath: readonly (string | number)[]): Promise<string> => {
    const { line, column } = await placeInYaml(bytes, path, keyPath);
    return `${shownText(path)}:${line}:${column}`;
  };
}
