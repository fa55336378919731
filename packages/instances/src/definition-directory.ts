import { basename, join } from "node:path";
import { asFailure, type Files, shownText } from "@agent-control/base";
import { placeInYaml } from "@agent-control/policy";
import type { Layer } from "./templates.ts";

const mostBytes = 256 * 1024;
const mostFiles = 500;

export interface DefinitionDirectory<T> {
  readonly path: string;
  readonly layer: Layer;
  parse(bytes: Uint8Array, path: string): Promise<T>;
}

export interface DefinitionFile<T> {
  readonly value: T;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a directory says, by name: a definition or, for a name that it means but spoils, what is wrong. */
export interface DirectoryRead<T> {
  readonly found: ReadonlyMap<string, DefinitionFile<T>>;
  readonly spoiled: ReadonlyMap<string, string>;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads every `*.yaml` of a directory; a missing directory is empty. A file that cannot be read or parsed spoils the
 * name in it and the name it is called by, so that no definition of a lower layer stands in for it. Two files with one
 * name spoil that name. Links are followed, except in a project's own directory.
 */
export async function readDefinitions<T extends { readonly name: string }>(
  files: Files,
  directory: DefinitionDirectory<T>,
): Promise<DirectoryRead<T>> {
  const found = new Map<string, DefinitionFile<T>>();
  const spoiled = new Map<string, string>();
  const problems: string[] = [];
  const spoil = (names: readonly string[], problem: string): void => {
    problems.push(problem);
    for (const name of names) spoiled.set(name, problem);
  };

  const listed = listDirectory(files, directory);
  if (listed.problem !== undefined) spoil([], listed.problem);
  for (const path of listed.paths) {
    const read = await readFile(files, directory, path);
    if ("problem" in read) spoil(read.names, read.problem);
    else {
      const twin = found.get(read.value.name);
      if (twin) spoil([read.value.name], await sameName(read, twin));
      else found.set(read.value.name, read);
    }
  }
  for (const name of spoiled.keys()) found.delete(name);
  return { found, spoiled, problems };
}

function listDirectory<T>(
  files: Files,
  { path }: DefinitionDirectory<T>,
): { readonly paths: readonly string[]; readonly problem?: string } {
  try {
    const names = files.list(files.realPath(path) ?? path).filter((name) => name.endsWith(".yaml"));
    const paths = names.slice(0, mostFiles).map((name) => join(path, name));
    if (names.length <= mostFiles) return { paths };
    return { paths, problem: `${shownText(path)} holds more than ${mostFiles} files; the rest is not read` };
  } catch (error) {
    return { paths: [], problem: sentenceOf(error, path) };
  }
}

async function readFile<T>(
  files: Files,
  { layer, parse }: DefinitionDirectory<T>,
  path: string,
): Promise<DefinitionFile<T> | { readonly names: readonly string[]; readonly problem: string }> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = files.read(layer === "project" ? path : (files.realPath(path) ?? path), mostBytes);
    if (bytes === undefined)
      return { names: [], problem: `${shownText(path)} was removed while it was read` };
    return { value: await parse(bytes, path), path, bytes };
  } catch (error) {
    return { names: namesMeant(path, bytes), problem: sentenceOf(error, path) };
  }
}

function namesMeant(path: string, bytes: Uint8Array | undefined): readonly string[] {
  const called = basename(path, ".yaml");
  const written = /^["']?name["']?\s*:\s*["']?([\w.-]+)/m.exec(Buffer.from(bytes ?? []).toString())?.[1];
  return written === undefined ? [called] : [called, written];
}

/** The failure of one file as a sentence with the file's whole path. */
function sentenceOf(error: unknown, path: string): string {
  const failure = asFailure(error);
  if (failure === undefined || failure.outcome === "cancelled") throw error;
  const name = basename(path);
  const { message } = failure;
  return message.startsWith(name) ? `${shownText(path)}${message.slice(name.length)}` : message;
}

async function sameName<T extends { readonly name: string }>(
  { value, path, bytes }: DefinitionFile<T>,
  twin: DefinitionFile<T>,
): Promise<string> {
  const { line, column } = await placeInYaml(bytes, path, ["name"]);
  const taken = `the name "${value.name}" is taken by ${shownText(basename(twin.path))} of the same directory`;
  return `${shownText(path)}:${line}:${column}: ${taken}`;
}
