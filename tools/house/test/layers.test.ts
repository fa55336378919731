import { expect, it } from "vitest";
import { problemsIn } from "../../check-layers.mjs";

const file = "packages/policy/src/example.ts";

it("accepts imports that go down and are named", () => {
  expect(problemsIn("policy", file, 'import { Failure } from "@agent-control/base";')).toEqual([]);
});

it("refuses an import of the same floor, of a higher one and of one that is not named", () => {
  expect(problemsIn("policy", file, 'import { x } from "@agent-control/audit";')).toEqual([
    expect.stringContaining("not on a lower floor"),
  ]);
  expect(problemsIn("policy", file, 'export * from "@agent-control/fleet";')).toEqual([
    expect.stringContaining("not on a lower floor"),
  ]);
  expect(problemsIn("panes", file, 'import { x } from "@agent-control/policy";')).toEqual([
    expect.stringContaining("does not name"),
  ]);
});

it("sees dynamic and type imports too", () => {
  expect(problemsIn("policy", file, 'await import("@agent-control/fleet");')).toHaveLength(1);
  expect(problemsIn("policy", file, 'import type { Launch } from "@agent-control/fleet";')).toHaveLength(1);
});

it("keeps files and child processes to the system package, and the MCP SDK to one file", () => {
  expect(problemsIn("policy", file, 'import { readFileSync } from "node:fs";')).toHaveLength(1);
  expect(
    problemsIn("system", "packages/system/src/files.ts", 'import { readFileSync } from "node:fs";'),
  ).toEqual([]);
  const sdk = 'import { Server } from "@modelcontextprotocol/server";';
  expect(problemsIn("mcp", "packages/mcp/src/sdk.ts", sdk)).toEqual([]);
  expect(problemsIn("mcp", "packages/mcp/src/other.ts", sdk)).toHaveLength(1);
});

it("refuses a package without a floor", () => {
  expect(problemsIn("helpers", "packages/helpers/src/index.ts", "")).toHaveLength(1);
});
