import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isGone } from "../shared/server.ts";
import { until } from "../shared/until.ts";
import { createPlace, type Place } from "./world.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.close());

const hostTool = (name: string, command: string, more = "") =>
  `  ${name}:\n    command: ${JSON.stringify(command)}\n    description: What ${name} does\n${more}`;

async function opened() {
  const server = place.serve();
  await server.initialize();
  return server;
}

const announcements = (server: { readonly notifications: readonly Record<string, unknown>[] }) =>
  server.notifications.filter(({ method }) => method === "notifications/tools/list_changed").length;

it("X-70 lists host tools after the built-in ones, in file order, and announces a change that a call sees", async () => {
  place.writeMcp(`host-tools:\n${hostTool("zebra", "echo stripes")}${hostTool("apple", "true")}`);
  const server = await opened();
  expect((await server.toolNames()).slice(-3)).toEqual(["keep_instance", "zebra", "apple"]);
  expect(await server.call("zebra", {})).toMatchObject({
    exit_code: 0,
    timed_out: false,
    output: "stripes\n",
  });
  expect(announcements(server)).toBe(0);
  place.writeMcp(`host-tools:\n${hostTool("pear", "echo pear")}`);
  await server.call("wait_any", {});
  expect(announcements(server)).toBe(1);
  expect((await server.toolNames()).slice(-2)).toEqual(["keep_instance", "pear"]);
  expect(await server.call("pear", {})).toMatchObject({ output: "pear\n" });
});

it("X-70 another session's last run counts, with the seconds left, and both are audited", async () => {
  place.writeMcp(`host-tools:\n${hostTool("once", "echo ran; exit 4", "    min-interval: 300\n")}`);
  const [first, second] = [await opened(), await opened()];
  expect(await first.call("once", {})).toMatchObject({ exit_code: 4, output: "ran\n" });
  const refused = await second.callRaw("once", {});
  expect(refused).toMatchObject({
    isError: true,
    _meta: { "isx/error": { code: "limit" } },
    content: [
      {
        text: expect.stringMatching(
          /^once may run again 300 seconds after .* Call again in (300|29\d) seconds\.$/,
        ),
      },
    ],
  });
  expect(refused.structuredContent).toBeUndefined();
  expect(place.auditLines()).toMatchObject([
    { action: "once", outcome: "ok", host_tool: true, command_exit: 4, detail: "echo ran; exit 4" },
    { action: "once", outcome: "rate-limited" },
  ]);
});

it("X-70 the server's end kills a running host tool with its whole group and is over in time", async () => {
  const file = join(place.root, "pids");
  place.writeMcp(`host-tools:\n${hostTool("long", `sleep 600 & echo $! $$ > ${file}; sleep 600`)}`);
  const server = await opened();
  const { reply } = server.start("long", {});
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"), 10_000, "its pids");
  const started = performance.now();
  server.close();
  expect(await reply).toMatchObject({ isError: true });
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - started).toBeLessThan(2000);
  const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
  await until(() => pids.every(isGone), 5000, "its end");
});

it("X-08 X-70 while mcp.yaml cannot be used a host tool says why; after the fix it runs, without a restart", async () => {
  const good = `host-tools:\n${hostTool("check", "echo fine")}`;
  place.writeMcp(good);
  const server = await opened();
  await server.toolNames();
  for (const bad of [
    `${good}templates: no\n`,
    `${good}${hostTool("exec", "true")}`,
    good.replace("command", "comand"),
  ]) {
    place.writeMcp(bad);
    const reply = await server.callRaw("check", {});
    expect(reply.isError).toBe(true);
    expect(reply.content[0]?.text).toContain(place.mcpFile);
  }
  expect(announcements(server)).toBe(0);
  place.writeMcp(good);
  expect(await server.call("check", {})).toMatchObject({ output: "fine\n" });
});
