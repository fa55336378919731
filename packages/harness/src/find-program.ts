import { isAbsolute, join } from "node:path";
import { asFailure, type Files } from "@agent-control/base";

/** The path under which a shell with this PATH would run one of these programs; undefined when there is none. */
export function findProgram(
  files: Files,
  names: readonly string[],
  path: string | undefined,
): string | undefined {
  const directories = (path ?? "").split(":").filter(isAbsolute);
  return directories
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((candidate) => isExecutable(files, candidate));
}

/** Whether a regular file with an execute bit is at the path; links are followed. */
export function isExecutable(files: Files, path: string): boolean {
  const seen = lookThrough(files, path);
  return seen?.kind === "file" && (seen.mode & 0o111) !== 0;
}

/** What is at the path, links followed; undefined when nothing is, or when it cannot be looked at. */
export function lookThrough(files: Files, path: string) {
  try {
    const real = files.realPath(path);
    return real === undefined ? undefined : files.look(real);
  } catch (error) {
    if (!asFailure(error)) throw error;
    return undefined; // A folder on the way that is closed to this user, or is no folder.
  }
}
