import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildInto } from "./built-fleet.ts";

it("the example of the README runs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "cli-readme-"));
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  writeFileSync(join(directory, "hello.ts"), /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "");
  await buildInto(directory, join(directory, "hello.ts"));
  const args = [join(directory, "hello.mjs"), "greet", "Ada", "--times", "2"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  rmSync(directory, { recursive: true });
  expect({ stdout, stderr }).toEqual({ stdout: "Hello, Ada\nHello, Ada\n", stderr: "" });
});
