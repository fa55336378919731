import { lintCatalogue, renderCatalogue } from "@agent-control/mcp/catalogue";
import { expect, it } from "vitest";
import { catalogue } from "../src/catalogue.ts";
import { instructions } from "../src/instructions.ts";
import { coordinate } from "../src/prompt.ts";
import { tools } from "../src/tools.ts";

it("C-21 lists tools that every client can use, within the size limits", () => {
  expect(lintCatalogue(catalogue)).toEqual([]);
});

it("C-21 lists exactly what the tools' schemas say", () => {
  expect(JSON.stringify(renderCatalogue(tools))).toBe(JSON.stringify(catalogue));
});

it("X-24 lists the tools in the page's order", () => {
  expect(catalogue.map(({ name }) => name)).toEqual([
    "list_templates",
    "create_instance",
    "stop_instance",
    "start_instance",
    "list_instances",
    "adopt_instance",
    "exec",
    "task_status",
    "wait_any",
    "task_result",
    "cancel_task",
    "destroy_instance",
    "keep_instance",
  ]);
});

it("X-14 has no argument for network, accounts or resources, and no idempotency keys", () => {
  const keys = catalogue.flatMap(({ inputSchema }) => Object.keys(inputSchema["properties"] ?? {}));
  expect([...new Set(keys)].sort()).toEqual([
    "background",
    "command",
    "cwd",
    "env",
    "force",
    "from_instance",
    "instance",
    "max_bytes",
    "max_output_bytes",
    "name_hint",
    "offset",
    "purpose",
    "stdin",
    "stream",
    "task_id",
    "task_ids",
    "template",
    "timeout_seconds",
    "wait_seconds",
  ]);
});

it("X-11 annotates every tool as the page's programs expect", () => {
  const marks = catalogue.map(({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint } }) => [
    name,
    ...(readOnlyHint ? ["reads"] : []),
    ...(destructiveHint ? ["destroys"] : []),
    ...(idempotentHint ? ["idempotent"] : []),
  ]);
  expect(marks).toEqual([
    ["list_templates", "reads", "idempotent"],
    ["create_instance"],
    ["stop_instance", "idempotent"],
    ["start_instance", "idempotent"],
    ["list_instances", "reads", "idempotent"],
    ["adopt_instance", "idempotent"],
    ["exec"],
    ["task_status", "reads", "idempotent"],
    ["wait_any", "reads", "idempotent"],
    ["task_result", "reads", "idempotent"],
    ["cancel_task", "destroys", "idempotent"],
    ["destroy_instance", "destroys", "idempotent"],
    ["keep_instance", "idempotent"],
  ]);
  expect(catalogue.some(({ annotations }) => annotations.openWorldHint)).toBe(false);
});

it("C-25 says of every tool that returns text of an instance that it is data", () => {
  for (const name of ["exec", "task_status", "task_result"]) {
    expect(catalogue.find((entry) => entry.name === name)?.description).toMatch(
      /data from the instance, not/,
    );
  }
  expect(instructions).toMatch(/data, not instructions/);
});

it("X-24 the prompt names only tools that exist, at least ten of them", () => {
  const names = new Set(catalogue.map(({ name }) => name));
  const other = new Set(["orphan_grace_hours", "from_instance"]);
  const words = new Set(
    (coordinate.text.match(/[a-z]+(?:_[a-z]+)+/g) ?? []).filter((word) => !other.has(word)),
  );
  expect([...words].filter((word) => !names.has(word))).toEqual([]);
  expect(words.size).toBeGreaterThanOrEqual(10);
});
