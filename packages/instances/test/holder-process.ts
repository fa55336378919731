import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "tsup";
import type { HoldingPlace } from "./real-holdings.ts";

/** A session in a process of its own. */
export interface HolderProcess {
  readonly session: string;
  /** Resolves to what it says, parsed. */
  ask(line: string): Promise<unknown>;
  /** Asks and does not wait. */
  begin(line: string): void;
  /** Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

export interface HolderProgram {
  start(place: HoldingPlace): Promise<HolderProcess>;
  remove(): void;
}

/** Builds the program that holds instances, for real processes to be killed. */
export async function buildHolder(): Promise<HolderProgram> {
  const root = mkdtempSync(join(tmpdir(), "isx holder é "));
  await build({
    entry: [join(import.meta.dirname, "fixtures", "holds-instances.ts")],
    config: false,
    outDir: root,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    noExternal: [/.*/],
    silent: true,
    splitting: false,
    banner: { js: 'import{createRequire as __r}from"node:module";const require=__r(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@agent-control/source", "node", "import"];
    },
  });
  return {
    start: (place) => startHolder(join(root, "holds-instances.mjs"), place),
    remove: () => rmSync(root, { recursive: true }),
  };
}

async function startHolder(program: string, place: HoldingPlace): Promise<HolderProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(place)]);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const session = await next();
  const begin = (line: string) => void child.stdin.write(`${line}\n`);
  return {
    session,
    begin,
    async ask(line) {
      begin(line);
      return JSON.parse(await next());
    },
    kill: () => killed(child),
  };
}

async function killed(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
