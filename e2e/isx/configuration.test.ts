import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Server } from "../shared/server.ts";
import { until } from "../shared/until.ts";
import { refusal } from "./refusal.ts";
import { createPlace, createWorld, incusIt, type Place, type World } from "./world.ts";

const instance = "mcp-job-abcde";
const task = { task_id: "abcdefghijkl" };
const dependent = [
  ["list_templates", {}],
  ["create_instance", { template: "tpl-job" }],
  ["adopt_instance", { instance }],
  ["start_instance", { instance }],
  ["exec", { instance, command: "true" }],
  ["inventory", {}],
] as const;
const independent = [
  ["list_instances", {}],
  ["stop_instance", { instance }],
  ["destroy_instance", { instance }],
  ["keep_instance", { instance }],
  ["task_status", task],
  ["task_result", task],
  ["cancel_task", task],
  ["wait_any", {}],
] as const;

const usable =
  "templates: [tpl-job]\nhost-tools:\n  inventory: {command: 'true', description: x, min-interval: 0}\n";

let place: Place;
let world: World | undefined;
let server: Server;
beforeEach(async () => {
  place = createPlace();
  place.writeTemplate("tpl-job", "name: tpl-job\nimage: base\n");
  place.writeMcp(usable);
  server = place.serve();
  await server.initialize();
  await server.toolNames();
});
afterEach(async () => {
  await place.close();
  await world?.close();
  world = undefined;
});

it.each(dependent)(
  "X-08 %s is refused while mcp.yaml cannot be used, and only as long",
  async (tool, args) => {
    place.writeMcp(`${usable}max-instanses: 3\n`);
    const { code, text } = await refusal(server, tool, args);
    expect(code).toBe("refused");
    expect(text).toMatch(
      /mcp\.yaml:4:1: max-instanses is not a known key; did you mean max-instances\? .* try again\.$/,
    );
    place.writeMcp(usable);
    const reply = await server.callRaw(tool, args);
    expect(reply.content[0]?.text).not.toContain("mcp.yaml");
  },
);

it.each(independent)(
  "X-08 %s works whatever mcp.yaml holds, so that a person can have things stopped",
  async (tool, args) => {
    place.writeMcp("templates: no\n");
    const reply = await server.callRaw(tool, args);
    expect(reply.content[0]?.text).not.toContain("mcp.yaml");
  },
);

it.each([
  ["a list that is a word", "templates: no\n", "1:12: templates must be a list, not text"],
  ["a negative number", "max-instances: -1\n", "1:16: max-instances must be a whole number"],
  ["a fraction", "max-instances: 1.5\n", "1:16: max-instances must be a whole number"],
  ["a number in quotes", 'max-instances: "8"\n', "1:16: max-instances must be a whole number"],
  ["a key twice", "templates: [a]\ntemplates: [b]\n", '2:1: the file has the key "templates" twice'],
  ["tabs", "host-tools:\n\tx: 1\n", "2:1: the file is not YAML here: lines are indented with spaces"],
  ["bytes that are not UTF-8", Buffer.from([0x74, 0xff, 0xfe, 0x0a]), "mcp.yaml"],
  ["a billion laughs", billionLaughs(), "mcp.yaml"],
])("X-08 refuses %s, naming the place, at once", async (_what, content, says) => {
  place.writeMcp(content);
  const started = performance.now();
  expect((await refusal(server, "create_instance", { template: "tpl-job" })).text).toContain(says);
  expect(performance.now() - started).toBeLessThan(2000);
});

it.each([
  ["a directory", () => mkdirSync(place.mcpFile)],
  ["a FIFO", () => void execFileSync("mkfifo", [place.mcpFile])],
])("X-08 refuses %s in the place of mcp.yaml, and does not hang", async (_what, make) => {
  rmSync(place.mcpFile);
  make();
  const { text } = await refusal(server, "exec", { instance, command: "true" });
  expect(text).toMatch(/mcp\.yaml cannot be read: .*/);
  rmSync(place.mcpFile, { recursive: true });
  place.writeMcp(usable);
  const reply = await server.callRaw("inventory", {});
  expect(reply.isError, reply.content[0]?.text).toBeFalsy();
});

it("X-08 refuses an mcp.yaml that its own user may not read", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("needs root, to be somebody else");
  const theirs = createPlace({}, 65_534);
  theirs.writeMcp(usable);
  const reader = theirs.serve();
  await reader.initialize();
  chmodSync(theirs.mcpFile, 0o000);
  const call = ["create_instance", { template: "tpl-job" }] as const;
  expect((await refusal(reader, ...call)).text).toContain("mcp.yaml cannot be read: ");
  chmodSync(theirs.mcpFile, 0o600);
  expect((await refusal(reader, ...call)).code).toBe("not_approved");
  await theirs.close();
});

it("X-70 a call that sees other host tools than before announces the change", async () => {
  place.writeMcp(usable.replace("inventory", "stocktaking"));
  await refusal(server, "create_instance", { template: "tpl-job" });
  const announced = () =>
    server.notifications.some(({ method }) => method === "notifications/tools/list_changed");
  await until(announced, 5000, "the announcement");
  const names = await server.toolNames();
  expect([names.includes("stocktaking"), names.includes("inventory")]).toEqual([true, false]);
});

it("X-09 an mcp: section in config.yaml is in the way as long as there is no mcp.yaml, and never used", async () => {
  place.writeConfig("mcp:\n  templates: [tpl-job]\n");
  rmSync(place.mcpFile);
  const { text } = await refusal(server, "create_instance", { template: "tpl-job" });
  expect(text).toMatch(
    /config\.yaml still has an mcp: section and there is no .*mcp\.yaml\. .*drop the mcp: line\.$/,
  );
  place.writeMcp("");
  const { code } = await refusal(server, "create_instance", { template: "tpl-job" });
  expect(code).toBe("not_approved");
});

incusIt(
  "X-08 X-09 the very next call sees what a person changed in mcp.yaml, a missing and an empty one included",
  async () => {
    world = await createWorld();
    world.writeTemplate("tpl-job", "name: tpl-job\nimage: base\n");
    const live = world.serve();
    await live.initialize();
    const seen = async () => {
      const { templates, max_instances, notes } = await live.call("list_templates", {});
      return {
        names: (templates as { template: string }[]).map(({ template }) => template),
        max_instances,
        notes,
      };
    };
    const nothing = {
      names: [],
      max_instances: 8,
      notes: [expect.stringContaining("No template is approved")],
    };
    expect(await seen()).toEqual(nothing);
    world.writeMcp("");
    expect(await seen()).toEqual(nothing);
    world.writeMcp(
      "\ufefftemplates: [tpl-job, tpl-nowhere]\r\nmax-instances: 0\r\ncodex: {sandbox-mode: x}\r\n",
    );
    expect(await seen()).toEqual({
      names: ["tpl-job"],
      max_instances: 0,
      notes: [
        expect.stringContaining("approves tpl-nowhere, but no template has that name"),
        expect.stringContaining("tpl-job is not built"),
        expect.stringContaining("keys without effect: codex"),
      ],
    });
    world.writeMcp("max-instances: 1000\n");
    expect(await seen()).toEqual({ ...nothing, max_instances: 1000 });
  },
);

function billionLaughs(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  return `${lines.join("\n")}\n`;
}
