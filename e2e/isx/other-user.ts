import { chownSync, cpSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { program } from "./world.ts";

/** Puts a copy of the program into a directory, gives all of it to a user, and returns the argv that runs it as them. */
export function programOf(uid: number, directory: string): readonly [string, ...string[]] {
  cpSync(dirname(program), join(directory, "program"), { recursive: true });
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  giveTo(uid, directory);
  const identity = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"] as const;
  return [...identity, process.execPath, join(directory, "program", "bin.js")];
}

function giveTo(uid: number, path: string): void {
  chownSync(path, uid, uid);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(uid, join(path, name));
}
