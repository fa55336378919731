import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServerDriver } from "../src/testing.ts";
import { type BuiltFixture, buildFixture } from "./built-fixture.ts";

let fixture: BuiltFixture;
const directory = mkdtempSync(join(tmpdir(), "mcp-added-"));
const file = join(directory, "names");
beforeAll(async () => {
  fixture = await buildFixture();
});
beforeEach(() => writeFileSync(file, "first\n"));
afterAll(() => {
  fixture.remove();
  rmSync(directory, { recursive: true });
});

async function opened(): Promise<ServerDriver> {
  const server = fixture.start({ ADDED: file });
  await server.initialize();
  return server;
}

async function listed(server: ServerDriver): Promise<string[]> {
  const { result } = await server.request("tools/list", {});
  return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

const announced = (server: ServerDriver) =>
  server.lines.filter((line) => line.includes("notifications/tools/list_changed")).length;

it("X-70 lists tools that come at run time after the built-in ones and runs them", async () => {
  const server = await opened();
  expect((await listed(server)).slice(-2)).toEqual(["misbehave", "first"]);
  expect(await server.call("first", { a: 1, b: 2 })).toMatchObject({ structured: { sum: 3 } });
});

it("X-70 announces a changed list once, when a call sees it", async () => {
  const server = await opened();
  await listed(server);
  await server.call("add_numbers", { a: 1 });
  expect(announced(server)).toBe(0);
  writeFileSync(file, "first\nsecond\n");
  await server.call("second", { a: 1 });
  await server.call("add_numbers", { a: 1 });
  await server.call("add_numbers", { a: 1 });
  expect(announced(server)).toBe(1);
  expect((await listed(server)).slice(-2)).toEqual(["first", "second"]);
});

it("X-70 announces nothing to a client that has listed the new tools itself", async () => {
  const server = await opened();
  await listed(server);
  writeFileSync(file, "");
  expect(await listed(server)).not.toContain("first");
  await server.call("add_numbers", { a: 1 });
  await server.request("ping");
  expect(announced(server)).toBe(0);
});

it("X-70 answers a tool that is gone as unknown, with the nearest that is there", async () => {
  const server = await opened();
  writeFileSync(file, "fist\n");
  expect((await server.request("tools/call", { name: "first" })).error).toMatchObject({
    code: -32602,
    message: 'Unknown tool "first". Did you mean "fist"?',
  });
});

it("X-70 announces a changed list to a subscriber of 2026-07-28 only", async () => {
  const server = fixture.start({ ADDED: file });
  const params = (more: object = {}) => ({
    ...more,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "driver", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });
  const call = () => server.request("tools/call", params({ name: "add_numbers", arguments: { a: 1 } }));
  await call();
  writeFileSync(file, "second\n");
  await call();
  expect(announced(server)).toBe(0);
  const subscription = params({ notifications: { toolsListChanged: true } });
  server.send({ jsonrpc: "2.0", id: "listen", method: "subscriptions/listen", params: subscription });
  await server.message(({ method }) => method === "notifications/subscriptions/acknowledged");
  writeFileSync(file, "third\n");
  await call();
  await server.message(({ method }) => method === "notifications/tools/list_changed");
});
