import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A file of an installed package, found along a chain of dependencies: the first is one of the package of `from`, each
 * later one a dependency of the one before. Throws an Error with one sentence when it is not installed there. Install
 * scripts need not have run, and the package need not export the file.
 */
export function installedFile(from: string | URL, chain: readonly string[], path: string): string {
  try {
    const place = chain.reduce((found, name) => packageManifest(found, name), String(from));
    const file = join(place, "..", path);
    if (existsSync(file)) return file;
    throw new Error(`${file} is missing`);
  } catch (cause) {
    const message = `${chain.at(-1)} is not installed for ${from}. Add ${chain[0]} to its devDependencies and install.`;
    throw new Error(message, { cause });
  }
}

// Only in the folders above `from`: pnpm's launchers put every package of the workspace on NODE_PATH.
function packageManifest(from: string, name: string): string {
  const start = from.startsWith("file:") ? fileURLToPath(from) : from;
  const places = (createRequire(start).resolve.paths(name) ?? []).filter((place) =>
    start.startsWith(dirname(place)),
  );
  const found = places.map((place) => join(place, name, "package.json")).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is in none of the folders above ${start}`);
  return realpathSync(found);
}
