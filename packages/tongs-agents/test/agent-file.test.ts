import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAgentFile, replaceAgentFile } from "@agent-control/harness/setup";
import { createMachine } from "@agent-control/system";
import { afterEach, beforeEach, expect, it } from "vitest";

const machine = createMachine({ onError: () => {} });
const ports = { ...machine, uid: process.getuid?.() ?? -1 };
let directory = "";
let path = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-file-"));
  path = join(directory, "settings.json");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("T-29 leaves a file alone that changed between reading and writing, and no temporary file behind", () => {
  writeFileSync(path, "{}");
  const seen = readAgentFile(ports.files, path);
  writeFileSync(path, '{"newer": true}');
  expect(() => replaceAgentFile(ports, seen, '{"hooks": {}}')).toThrow(/was changed by another program/);
  expect(() => replaceAgentFile(ports, seen, undefined)).toThrow(/was changed by another program/);
  expect(readFileSync(path, "utf8")).toBe('{"newer": true}');
  expect(readdirSync(directory)).toEqual(["settings.json"]);
});

it("does not take the place of a file that appeared meanwhile", () => {
  const seen = readAgentFile(ports.files, path);
  writeFileSync(path, "theirs");
  expect(() => replaceAgentFile(ports, seen, "ours")).toThrow(/was changed by another program/);
  expect(readFileSync(path, "utf8")).toBe("theirs");
});

it("keeps the mode and the byte order mark", () => {
  writeFileSync(path, "\ufeff{}", { mode: 0o644 });
  const seen = readAgentFile(ports.files, path);
  expect(seen).toMatchObject({ text: "{}", hasMark: true });
  replaceAgentFile(ports, seen, "{ }");
  expect(readFileSync(path, "utf8")).toBe("\ufeff{ }");
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

it("refuses a file of another user, whose owner a replacement would change", () => {
  writeFileSync(path, "{}");
  const seen = readAgentFile(ports.files, path);
  expect(() => replaceAgentFile({ ...ports, uid: ports.uid + 1 }, seen, "{ }")).toThrow(
    /belongs to another user/,
  );
});

it("refuses bytes that are not UTF-8, which a rewrite would lose", () => {
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => readAgentFile(ports.files, path)).toThrow(/is not UTF-8 text/);
});
