import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every file and directory below a directory, each with its kind, mode, size and time of change. */
export function filesUnder(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, parentPath } of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(parentPath, name);
    const { mode, size, mtimeMs } = lstatSync(path);
    found[path] = `${mode.toString(8)} ${size} bytes ${mtimeMs}`;
  }
  return found;
}
