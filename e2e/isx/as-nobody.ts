import { chownSync, cpSync, lstatSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Server, startServer } from "../shared/server.ts";
import { type Place, program } from "./world.ts";

const nobody = 65_534;

/** Gives a place's files and a copy of the program to a user without rights, and starts its server; needs root. */
export async function serveAsNobody(place: Place, env: Record<string, string> = {}): Promise<Server> {
  cpSync(dirname(program), join(place.root, "program"), { recursive: true });
  writeFileSync(join(place.root, "package.json"), '{ "type": "module" }');
  giveTo(nobody, place.root);
  const identity = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] as const;
  const bin = join(place.root, "program", "bin.js");
  const argv = [...identity, process.execPath, bin, "mcp"] as const;
  const server = startServer({ ...place.env, ...env }, { argv, cwd: "/" });
  await server.initialize();
  return server;
}

/** Sockets stay whose they are. */
function giveTo(uid: number, path: string): void {
  const found = lstatSync(path);
  if (found.isSocket()) return;
  chownSync(path, uid, uid);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(uid, join(path, name));
}
