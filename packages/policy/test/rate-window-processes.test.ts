import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "rate-window-"));
const program = join(root, "program");

beforeAll(async () => {
  await build({
    entry: [join(import.meta.dirname, "fixtures", "reserve-at-once.ts")],
    config: false,
    outDir: program,
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

async function allowedIn(directory: string, limit: number): Promise<number> {
  const args = [join(program, "reserve-at-once.mjs"), directory, "20", String(limit)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

it("T-16 never passes the limit with two processes of 20 calls at once, nor after they ended", async () => {
  const directory = join(root, "mcp-rate");
  const both = await Promise.all([allowedIn(directory, 15), allowedIn(directory, 15)]);
  expect(both.reduce((sum, count) => sum + count)).toBe(15);
  expect(await allowedIn(directory, 17)).toBe(2);
  expect(readdirSync(directory)).toEqual(["caller1.send.json"]);
});
