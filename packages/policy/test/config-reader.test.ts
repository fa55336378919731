import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryFiles } from "@agent-control/base/testing";
import { createFiles, createRandom } from "@agent-control/system";
import { afterAll, expect, it } from "vitest";
import { createConfigReader, parseTongsConfig } from "../src/index.ts";
import { failureOf, lineOf } from "./refused.ts";

const root = mkdtempSync(join(tmpdir(), 'it\'s "$HOME" ü '));
afterAll(() => rmSync(root, { recursive: true }));

function inMemory(path = "/config/config.toml") {
  const files = memoryFiles();
  files.makeDirectory("/config");
  let parses = 0;
  const reader = createConfigReader({
    files,
    path,
    parse(bytes, from) {
      parses += 1;
      return parseTongsConfig(bytes, from);
    },
  });
  return { files, reader, parses: () => parses };
}

function onDisk(name: string) {
  const path = join(root, name);
  const files = createFiles({ random: createRandom() });
  return { path, reader: createConfigReader({ files, path, parse: parseTongsConfig }) };
}

it("T-02 takes a missing file for all defaults, and sees it appear, change and vanish", async () => {
  const { files, reader } = inMemory();
  expect((await reader.read()).control.mcpEnabled).toBe(false);
  files.write("/config/config.toml", "[control]\nmcp_enabled = true");
  expect((await reader.read()).control.mcpEnabled).toBe(true);
  files.write("/config/config.toml", "[control]\nmcp_enabled = false");
  expect((await reader.read()).control.mcpEnabled).toBe(false);
  files.write("/config/config.toml", "[control]\nmcp_enabled = true");
  files.remove("/config/config.toml");
  expect((await reader.read()).control.mcpEnabled).toBe(false);
});

it("C-10 parses only when the bytes are others, and sees a change that keeps the length", async () => {
  const { files, reader, parses } = inMemory();
  files.write("/config/config.toml", "[control]\nmcp_max_agents = 1");
  const first = await reader.read();
  files.write("/config/config.toml", "[control]\nmcp_max_agents = 1");
  expect(await reader.read()).toBe(first);
  expect(parses()).toBe(1);
  files.write("/config/config.toml", "[control]\nmcp_max_agents = 2");
  expect((await reader.read()).control.mcpMaxAgents).toBe(2);
  expect(parses()).toBe(2);
});

it("C-10 remembers what is wrong with a file as long as its bytes stay", async () => {
  const { files, reader, parses } = inMemory();
  files.write("/config/config.toml", "[control]\nmcp_enabled = 1");
  const first = await failureOf(reader.read());
  expect(await failureOf(reader.read())).toBe(first);
  expect(parses()).toBe(1);
  files.write("/config/config.toml", "[control]\nmcp_enabled = true");
  expect((await reader.read()).control.mcpEnabled).toBe(true);
});

it("C-06 follows a symlinked config file on disk, whatever the path holds", async () => {
  const { path, reader } = onDisk("linked.toml");
  mkdirSync(join(root, "dot files"));
  writeFileSync(join(root, "dot files", "real.toml"), "[control]\nmcp_max_agents = 3");
  symlinkSync("dot files/real.toml", path);
  expect((await reader.read()).control.mcpMaxAgents).toBe(3);
  writeFileSync(join(root, "dot files", "real.toml"), "[control]\nmcp_max_agents = x");
  expect(await lineOf(reader.read())).toContain("linked.toml:2:18: ");
});

it("C-06 refuses a symlink to nothing instead of taking it for the defaults", async () => {
  const { path, reader } = onDisk("dangling.toml");
  symlinkSync("nowhere.toml", path);
  expect(await failureOf(reader.read())).toMatchObject({ outcome: "refused", code: "config-invalid" });
  expect(await lineOf(reader.read())).toContain("dangling.toml cannot be read: it is a symlink to nothing.");
});

it("C-08 refuses a FIFO, a directory and a huge file without hanging", async () => {
  const fifo = onDisk("fifo.toml");
  execFileSync("mkfifo", [fifo.path]);
  const directory = onDisk("directory.toml");
  mkdirSync(directory.path);
  const huge = onDisk("huge.toml");
  writeFileSync(huge.path, "#".repeat(1024 * 1024 + 1));
  for (const { path, reader } of [fifo, directory, huge]) {
    const failure = await failureOf(reader.read());
    expect(failure).toMatchObject({ outcome: "refused", code: "config-invalid" });
    expect(failure.next).toBe(`Make ${path} a readable file or remove it, then try again`);
  }
});

it("reads a file of exactly 1 MiB", async () => {
  const { path, reader } = onDisk("large.toml");
  writeFileSync(path, `[control]\nmcp_enabled = true\n${"#".repeat(1024 * 1024 - 29)}`);
  expect((await reader.read()).control.mcpEnabled).toBe(true);
});
