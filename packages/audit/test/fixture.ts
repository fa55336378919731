import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterAll, onTestFinished } from "vitest";

/** Bundles test/fixtures/writer.ts so that plain Node runs it; answers its path. Call it in `beforeAll`. */
export async function buildWriter(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "audit-writer-"));
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  await bundle(fileURLToPath(new URL("fixtures/writer.ts", import.meta.url)), outDir);
  return join(outDir, "writer.mjs");
}

/** Bundles a program, with everything that it imports, to `<outDir>/<its name>.mjs`. */
export async function bundle(program: string, outDir: string): Promise<void> {
  await build({
    ...{ config: false, outDir, format: ["esm"], target: "node20", silent: true },
    entry: [program],
    noExternal: [/./],
    // execa, of which nothing is used here, requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    esbuildOptions: (options) => {
      options.conditions = ["@agent-control/source"];
      options.alias = {
        "@agent-control/audit": source("../src"),
        "@agent-control/system": source("../../system/src"),
      };
    },
    outExtension: () => ({ js: ".mjs" }),
  });
}

function source(directory: string): string {
  return fileURLToPath(new URL(`${directory}/index.ts`, import.meta.url));
}

export interface Running {
  readonly child: ChildProcess;
  /** What it printed so far. */
  output(): string;
  /** Resolves when the output contains the text. */
  printed(text: string): Promise<void>;
  /** Resolves with the exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

/** Starts the writer; what still runs after the test is killed. */
export function start(writer: string, args: readonly (string | number)[]): Running {
  const child = spawn(process.execPath, [writer, ...args.map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    output: () => output,
    async printed(text) {
      while (!output.includes(text)) await once(child.stdout, "data");
    },
    ended,
  };
}

/** A fresh directory with a hostile name, removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "audit it's $HOME é "));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
