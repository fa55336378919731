import { afterEach, beforeEach, expect, it } from "vitest";
import { createPlace, type Place } from "./world.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.close());

async function opened() {
  const server = place.serve();
  await server.initialize();
  return server;
}

it("X-08 what stops things does not depend on mcp.yaml", async () => {
  place.writeMcp("max-instances: -1\n");
  const server = await opened();
  expect(await server.call("wait_any", {})).toEqual({ tasks: [], finished: [] });
  for (const [tool, args] of [
    ["task_status", { task_id: "t" }],
    ["task_result", { task_id: "t" }],
    ["cancel_task", { task_id: "t" }],
    ["stop_instance", { instance: "i" }],
    ["destroy_instance", { instance: "i" }],
    ["keep_instance", { instance: "i" }],
    ["list_instances", {}],
  ] as const) {
    const { content } = await server.callRaw(tool, args);
    expect(content[0]?.text, tool).not.toContain("mcp.yaml");
  }
  for (const [tool, args] of [
    ["list_templates", {}],
    ["create_instance", { template: "tpl-x" }],
    ["start_instance", { instance: "i" }],
    ["adopt_instance", { instance: "i" }],
    ["exec", { instance: "i", command: "true" }],
  ] as const) {
    const { content } = await server.callRaw(tool, args);
    expect(content[0]?.text, tool).toContain("mcp.yaml:1:16: max-instances");
  }
});

it("X-09 says once on standard error what is obsolete, and serves on", async () => {
  place.writeMcp("delegate-max-turns: 5\n");
  const server = await opened();
  await server.call("wait_any", {});
  await server.call("wait_any", {});
  expect(server.diagnostics()).toBe(
    "isx: mcp.yaml has keys without effect: delegate-max-turns; delete them.\n",
  );
});

it("X-81 audits every call: reads, refusals and arguments that do not fit, with credentials removed", async () => {
  const server = await opened();
  await server.callRaw("list_instances", {});
  await server.callRaw("exec", {
    instance: "i",
    command: "curl -H 'Authorization: Bearer abcdefghijklmnop1234'",
  });
  await server.callRaw("exec", { instanse: "i" });
  const lines = place.auditLines();
  expect(lines.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["list_instances", "unavailable"],
    ["exec", "unavailable"],
    ["exec", "usage"],
  ]);
  expect(lines[1]).toMatchObject({ instance: "i", detail: expect.stringContaining("[redacted]") });
  expect(JSON.stringify(lines)).not.toContain("abcdefghijklmnop1234");
});
