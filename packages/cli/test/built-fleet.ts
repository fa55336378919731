import { type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterAll, beforeAll } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** The test program built as an app is, under the name `fleet` in a directory of its own. */
export function builtFleet() {
  const directory = mkdtempSync(join(tmpdir(), "cli-test-"));
  writeFileSync(join(directory, "fleet"), `#!/bin/sh\nexec node "${directory}/fleet-main.mjs" "$@"\n`, {
    mode: 0o755,
  });
  beforeAll(() => buildInto(directory, join(here, "fixtures", "fleet-main.ts")));
  afterAll(() => rmSync(directory, { recursive: true }));

  const start = (args: readonly string[], options: SpawnOptions = {}) =>
    spawn(process.execPath, [join(directory, "fleet-main.mjs"), ...args], options);
  const run = (args: readonly string[], input = "", env: NodeJS.ProcessEnv = process.env): Promise<Ended> =>
    ended(start(args, { env, stdio: "pipe" }), input);
  /** Runs a shell command line in which `fleet` is the program. */
  const shell = (script: string, command: readonly string[] = ["bash", "-c"]): Promise<Ended> => {
    const [program = "bash", ...args] = command;
    const PATH = `${directory}:${dirname(process.execPath)}:${process.env["PATH"]}`;
    return ended(spawn(program, [...args, script], { env: { ...process.env, PATH } }), "");
  };
  return { directory, start, run, shell };
}

function ended(child: ReturnType<typeof spawn>, input: string): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ stdout, stderr, exitCode }));
  });
}

/** Bundles an entry file as an app is bundled. */
export async function buildInto(directory: string, entry: string): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: [entry],
    outDir: directory,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    splitting: true,
    noExternal: [/.*/],
    target: "node20",
    tsconfig: join(here, "../../../tsconfig.json"),
    esbuildOptions: (options) => {
      options.conditions = ["@agent-control/source"];
      options.alias = { "@agent-control/cli": join(here, "../src/index.ts") };
    },
  });
}
