import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { everythingPassed, runSuite, suiteProblem } from "../shared/conformance.ts";
import { serverArgv, startServer } from "./server.ts";
import { createWorld, program, runProgram, type World } from "./world.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.close());

it("C-20 passes the conformance suite's generic scenarios of both eras and the Inspector's strict lint", {
  timeout: 900_000,
}, async (context) => {
  const problem = suiteProblem();
  if (problem !== undefined && process.env["CI"] !== "true") return context.skip(problem);
  expect(problem).toBeUndefined();
  expect(await runSuite(await serverWithControl())).toEqual(everythingPassed);
});

it("T-35 the validation script passes with nothing but node and python3 on the PATH", async () => {
  const path = join(world.root, "bin");
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, "node"));
  symlinkSync(python(), join(path, "python3"));
  expect(readdirSync(path)).toEqual(["node", "python3"]);
  const ran = await runProgram([join(path, "python3"), join(repository, "validation", "mcp_stdio.py")], {
    env: { PATH: path, HOME: world.env["HOME"] ?? "", TMPDIR: world.env["TMPDIR"] ?? "" },
    input: "",
    cwd: rootWithProgram(),
  });
  expect(ran).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      "control off: exactly the five fleet_* tools\n",
      "control on: exactly nine tools; agents_send from outside refused (5) and audited\n",
      "passed\n",
    ].join(""),
  });
  expect(readdirSync(world.env["TMPDIR"] ?? "")).toEqual([]);
});

/** argv of a server that lists the control tools however little of the environment its client passes on. */
async function serverWithControl(): Promise<readonly [string, ...string[]]> {
  world.writeConfig("[control]\nmcp_enabled = true\n");
  const variables = Object.entries(world.env).map(([name, value]) => `${name}=${value}`);
  const argv = ["/usr/bin/env", ...variables, ...serverArgv] as const;
  const server = startServer({}, { argv });
  await server.initialize();
  expect(await server.toolNames()).toHaveLength(9);
  server.close();
  await server.exited;
  return argv;
}

/** A directory laid out as the repository's root, with the program that is tested in the place of the built one. */
function rootWithProgram(): string {
  mkdirSync(join(world.root, "repository", "packages", "tongs-agents"), { recursive: true });
  symlinkSync(dirname(program), join(world.root, "repository", "packages", "tongs-agents", "dist"));
  return join(world.root, "repository");
}

/** The interpreter itself: what is on the PATH may be a shell script that needs more programs. */
function python(): string {
  return execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
}
