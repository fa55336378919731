import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { sdkClients } from "../shared/sdk-clients.ts";
import type { Server } from "../shared/server.ts";
import type { ToolReply } from "../shared/test-client.ts";
import { until } from "../shared/until.ts";
import { refusal } from "./refusal.ts";
import { createWorld, incusIt, usesIncus, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  if (!usesIncus()) return;
  world = await createWorld();
  world.writeTemplate("tpl-job", "name: tpl-job\nimage: base\nnetwork: airgap\n");
  const init = await world.cli(["init"]);
  expect(init.code, init.stderr).toBe(0);
  await world.build("tpl-job");
  world.writeMcp("templates: [tpl-job]\n");
}, 120_000);
afterAll(() => world?.close(), 60_000);

afterEach(async () => {
  if (world === undefined) return;
  const names = (await made()).map(({ name }) => name);
  if (names.length > 0) await world.cli(["destroy", "--yes", ...names]);
});

incusIt(
  "X-15 two servers that create 20 instances each at once make 8 in all, and their refusals name the counts",
  {
    timeout: 120_000,
  },
  async () => {
    const servers = [await session(), await session()];
    const calls = servers.flatMap((server) => Array.from({ length: 20 }, () => create(server)));
    const refusals = (await Promise.all(calls)).filter(({ isError }) => isError);
    expect(refusals).toHaveLength(32);
    for (const { content } of refusals) expect(content[0]?.text).toMatch(/\b8\b.*max-instances/s);
    const states = (await made()).map(({ status, config }) => [status, config["user.incus-spawn.mcp-state"]]);
    expect(states).toEqual(Array(8).fill(["Running", "ready"]));
  },
);

incusIt(
  "X-83 of a server killed while it creates, the next one's start leaves nothing half-made",
  {
    timeout: 120_000,
  },
  async () => {
    const killed = await session();
    for (let index = 0; index < 4; index++) create(killed).catch(() => {}); // Nobody will answer.
    await until(async () => (await made()).length > 0, 10_000, "an instance that is being made");
    killed.signal("SIGKILL");
    await killed.exited;
    const next = await session();
    await next.call("list_instances", {});
    const isSettled = async () =>
      (await made()).every(({ config }) => config["user.incus-spawn.mcp-state"] === "ready");
    await until(isSettled, 30_000, "the end of what was half-made");
    const { instances } = await next.call("list_instances", {});
    expect((instances as unknown[]).length).toBe((await made()).length);
  },
);

incusIt(
  "X-18 X-20 a new session adopts what a killed one left, with its task, and reads the whole result",
  {
    timeout: 60_000,
  },
  async () => {
    const killed = await session();
    const instance = nameOf(await create(killed));
    const command = "for i in 1 2 3 4 5; do echo step $i; sleep 0.3; done; exit 9";
    const { task_id } = await killed.call("exec", { instance, command, background: true });
    killed.signal("SIGKILL");
    await killed.exited;

    const next = await session();
    expect(await refusal(next, "exec", { instance, command: "true" })).toMatchObject({ code: "not_held" });
    expect(await next.call("adopt_instance", { instance })).toMatchObject({ instance, tasks: [task_id] });
    expect(await next.call("wait_any", { task_ids: [task_id] })).toMatchObject({ finished: [task_id] });
    expect(await next.call("task_result", { task_id })).toMatchObject({
      exit_code: 9,
      stdout: "step 1\nstep 2\nstep 3\nstep 4\nstep 5\n",
    });
  },
);

incusIt("X-14 a stopped instance is forked with what was prepared in it", { timeout: 60_000 }, async () => {
  const server = await session();
  const instance = nameOf(await create(server));
  await server.call("exec", { instance, command: "echo prepared > state" });
  expect(await refusal(server, "create_instance", { from_instance: instance })).toMatchObject({
    code: "wrong_state",
  });
  await server.call("stop_instance", { instance });
  const forks = await Promise.all(
    [1, 2].map(() => server.call("create_instance", { from_instance: instance })),
  );
  for (const fork of forks) {
    expect(fork).toMatchObject({ forked_from: instance });
    expect(await server.call("exec", { instance: fork["instance"], command: "cat state" })).toMatchObject({
      stdout: "prepared\n",
    });
  }
});

incusIt(
  "X-14 a repository that redefines an approved template or its parent changes nothing for the agent",
  {
    timeout: 60_000,
  },
  async () => {
    const repository = join(world.root, "repository");
    mkdirSync(join(repository, ".incus-spawn", "images"), { recursive: true });
    const evil = "name: tpl-job\nimage: base\ndescription: Evil\nnetwork: full\nenv: {EVIL: 'yes'}\n";
    writeFileSync(join(repository, ".incus-spawn", "images", "tpl-job.yaml"), evil);
    const server = world.serve({}, repository);
    await server.initialize();
    const { templates } = await server.call("list_templates", {});
    expect(templates).toMatchObject([{ template: "tpl-job", built: true, stale: false }]);
    expect(JSON.stringify(templates)).not.toContain("Evil");
    const instance = nameOf(await create(server));
    const command = 'echo "[$EVIL]"; ls /sys/class/net';
    expect(await server.call("exec", { instance, command })).toMatchObject({ stdout: "[]\nlo\n" });
  },
);

incusIt("X-14 any hint gives a valid name of its own", { timeout: 60_000 }, async () => {
  const server = await session();
  const hints = ["870-impl-", "", "UPPER Case", "Ünï-cödé 日本", "x".repeat(80), "---", "a;$(reboot)"];
  const replies = await Promise.all(hints.map((name_hint) => create(server, { name_hint })));
  const names = replies.map(nameOf);
  for (const name of names) expect(name).toMatch(/^mcp-job-([a-z0-9-]{1,16}-)?[a-z2-7]{5}$/);
  expect(new Set(names).size).toBe(hints.length);
  expect((await made()).map(({ name }) => name).sort()).toEqual(names.sort());
});

incusIt(
  "C-22 C-27 listings of a real Incus fit their schemas for every client",
  { timeout: 60_000 },
  async () => {
    const server = await session();
    const instance = nameOf(await create(server, { purpose: "#870 implement" }));
    for (const [title] of sdkClients) {
      const client = await world.connect({}, title);
      const { structuredContent } = await client.call("list_instances", {});
      expect(structuredContent, title).toMatchObject({
        total: 1,
        instances: [{ instance, purpose: "#870 implement" }],
      });
      expect((await client.call("list_templates", {})).isError, title).toBeFalsy();
      await client.close();
    }
  },
);

async function session(): Promise<Server> {
  const server = world.serve();
  await server.initialize();
  return server;
}

function create(server: Server, more: object = {}): Promise<ToolReply> {
  return server.callRaw("create_instance", { template: "tpl-job", ...more });
}

function nameOf({ isError, structuredContent, content }: ToolReply): string {
  expect(isError, content[0]?.text).toBeFalsy();
  return String(structuredContent?.["instance"]);
}

async function made() {
  return (await world.incus.instances()).filter(({ name }) => name.startsWith("mcp-"));
}
