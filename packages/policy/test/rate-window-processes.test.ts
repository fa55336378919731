import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleProgram } from "../../../tools/bundle-program.ts";

const root = mkdtempSync(join(tmpdir(), "rate-window-"));
const program = join(root, "program");

beforeAll(async () => {
  await bundleProgram(join(import.meta.dirname, "fixtures", "reserve-at-once.ts"), program);
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
