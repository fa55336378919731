import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundle, temporaryDirectory } from "./fixture.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("the README's example runs as it says, and its script checks the log", async () => {
  const directory = temporaryDirectory();
  const [example, check] = [join(directory, "example.ts"), join(directory, "check.mjs")];
  writeFileSync(example, block("ts"));
  writeFileSync(check, block("js"));
  await bundle(example, directory);
  expect(run([join(directory, "example.mjs"), directory])).toBe(
    "sent false { ok: true, lines: 1, notes: [] }\n",
  );
  const log = join(directory, "control.jsonl");
  expect(readFileSync(log, "utf8")).toContain(`"detail":"curl -H 'Authorization: [redacted]' # [redacted]"`);
  expect(run([check, log])).toMatch(/^ok [0-9a-f]{64}\n$/);
  writeFileSync(log, readFileSync(log, "utf8").replace('"target":"b"', '"target":"c"'));
  expect(run([check, log])).toBe("");
});

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? "";
}

function run(args: readonly string[]): string {
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}
