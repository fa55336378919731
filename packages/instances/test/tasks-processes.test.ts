import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "isx tasks é "));
const program = join(root, "starts-tasks.mjs");

beforeAll(async () => {
  await build({
    entry: [join(import.meta.dirname, "fixtures", "starts-tasks.ts")],
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
}, 30_000);
afterAll(() => rmSync(root, { recursive: true }));

async function started(directory: string, session: string, limit: number): Promise<number> {
  const args = [program, directory, session, "20", String(limit)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe("");
  return Number(stdout);
}

it("X-15 two servers with 20 parallel starts each never pass max-concurrent-tasks, nor do later ones", async () => {
  const directory = join(root, "ledger");
  const both = await Promise.all([started(directory, "one", 8), started(directory, "two", 8)]);
  expect(both.reduce((sum, count) => sum + count)).toBe(8);
  expect(readdirSync(directory).filter((name) => name.endsWith(".json"))).toHaveLength(8);
  expect(await started(directory, "three", 10)).toBe(2);
});
