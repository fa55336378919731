import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type SdkClient, type ServerCommand, sdkClients } from "../shared/sdk-clients.ts";
import type { ToolReply } from "../shared/test-client.ts";
import { fastest } from "./fastest.ts";
import { startServer } from "./server.ts";
import { createWorld, until, type World } from "./world.ts";

let world: World;
let worker: string;
/** A server that the lead's process starts, reached through a program that the SDK can spawn. */
let command: ServerCommand;

beforeAll(async () => {
  world = createWorld();
  const control = "[control]\nmcp_enabled = true\nmcp_rate_per_minute = 60\n";
  world.writeConfig(`${control}${world.leadProfile()}${world.workerProfile()}`);
  await world.launch("lead");
  command = {
    argv: [process.execPath, world.script("joins.mjs"), join(world.root, "lead")],
    env: world.env,
  };
  const client = await world.connect();
  await client.initialize();
  worker = String((await client.call("agents_spawn", { profile: "worker" }))["launch_id"]);
  await until(() => world.isReading(), 20_000, "the worker reads its terminal");
  client.close();
});
afterAll(() => world.close());

describe.each(sdkClients)("%s", (title, connect) => {
  const opened = async (): Promise<SdkClient> => {
    const client = await connect(command);
    onTestFinished(() => client.close());
    return client;
  };

  it("C-20 C-27 agrees on its revision and lists the nine tools, each with an output schema", async () => {
    const client = await opened();
    expect(client.revision).toBe(title.startsWith("SDK 2 choosing") ? "2026-07-28" : title.slice(-10));
    expect(client.tools.map(({ name }) => name).sort()).toEqual(nineTools);
    expect(client.tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
  });

  it("C-22 C-27 prompts an agent; structured content fits its schema and the text says the same", async () => {
    const client = await opened();
    const text = `from ${title}`;
    const sent = await client.call("agents_send", { launch_id: worker, text });
    expect(facts(sent)).toMatchObject({ ok: true, bytes: Buffer.byteLength(text) });
    await until(() => world.workerBytes().includes(`${text}\u001b[201~\r`), 5_000, "the prompt and Enter");
    const { total } = facts(await client.call("fleet_status", {}));
    expect(total).toBe(0);
    expect(facts(await client.call("fleet_cleanup", {}))).toEqual({ removed: 0 });
  });

  it("C-22 C-27 gets a refusal, a failure and bad arguments as the page's object", async () => {
    const client = await opened();
    const target = { launch_id: worker };
    const refused = await client.call("agents_spawn", { profile: "unknown" });
    expect(failure(refused)).toMatchObject({ outcome: "refused", exit_code: 5 });
    const unsupported = await client.call("agents_status", target);
    expect(failure(unsupported)).toMatchObject({ outcome: "unsupported", exit_code: 6 });
    const misspelt = await client.call("agents_wait", { ...target, timeout: 1 });
    expect(failure(misspelt)).toMatchObject({ outcome: "error", exit_code: 2 });
    expect(failure(misspelt)["error"]).toContain('"timeout_s"');
    const long = await client.call("agents_wait", { ...target, timeout_s: 601 });
    expect(failure(long)).toMatchObject({ outcome: "error", exit_code: 2 });
    await expect(client.call("agents_sned", target)).rejects.toThrow(/agents_send/);
  });

  it("C-22 C-27 gets one line and no structured content when a fleet tool fails", async () => {
    const client = await opened();
    const reply = await client.call("fleet_session", { session_id: "none" });
    expect(reply).toEqual({
      ...reply,
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(/^[^\n]+\.$/) }],
    });
    expect(reply).not.toHaveProperty("structuredContent");
  });

  it("C-23 C-27 is told progress until a wait's time is over", async () => {
    const client = await opened();
    const steps: number[] = [];
    const wait = await client.call(
      "agents_wait",
      { launch_id: worker, until: "exited", timeout_s: 1 },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    expect(failure(wait)).toMatchObject({ outcome: "error", exit_code: 3, timed_out: true });
    expect([[1], [1, 2]]).toContainEqual(steps);
  });

  it("C-23 C-27 cancels a wait, which ends within half a second and is audited", async () => {
    const client = await opened();
    expect(await fastest(500, () => cancelWait(client))).toBeLessThan(500);
  });
});

it("C-21 lists the same bytes in every run, in both eras, and whoever answers", async () => {
  const openings: readonly Opening[] = [
    { initialize: { capabilities: {} } },
    { initialize: { capabilities: {} } },
    { initialize: { capabilities: {}, protocolVersion: "2024-11-05" } },
    // Not quite ordinary: left to the SDK.
    { initialize: { capabilities: { experimental: { x: { y: "z" } } } } },
    { envelope: {} },
    { envelope: { "io.modelcontextprotocol/logLevel": "error" } },
  ];
  const lists = await Promise.all(openings.map(listedBytes));
  const [first = ""] = lists;
  for (const list of lists) expect(list).toBe(first);
  const tools = JSON.parse(first) as { name: string }[];
  expect(tools.map(({ name }) => name).sort()).toEqual(nineTools);
  expect(Buffer.byteLength(first)).toBeLessThanOrEqual(tools.length * 1_400);
});

/** Cancels a wait that has begun; resolves to the milliseconds until it ended, by its audit line. */
async function cancelWait(client: SdkClient): Promise<number> {
  const before = world.auditLines().length;
  const abort = new AbortController();
  let steps = 0;
  const wait = client.call(
    "agents_wait",
    { launch_id: worker, until: "exited", timeout_s: 600 },
    {
      signal: abort.signal,
      onprogress: () => {
        steps += 1;
      },
    },
  );
  const ended = expect(wait).rejects.toThrow();
  await until(() => steps > 0, 10_000, "progress of the wait");
  const cancelledAt = Date.now();
  abort.abort();
  await ended;
  await until(() => world.auditLines().length > before, 10_000, "the audit line");
  const line = world.auditLines().at(-1) ?? {};
  expect(line).toMatchObject({ action: "wait", target: worker, outcome: "cancelled", exit_code: 130 });
  return Date.parse(String(line["ts"])) + Number(line["ms"]) - cancelledAt;
}

interface Opening {
  readonly initialize?: object;
  readonly envelope?: object;
}

/** The bytes of the list of tools as they stand in the answer's line. */
async function listedBytes({ initialize, envelope }: Opening): Promise<string> {
  const server = startServer(world.env);
  if (initialize)
    await server.request("initialize", { protocolVersion: "2025-11-25", clientInfo, ...initialize });
  await server.request("tools/list", envelope ? { _meta: { ...modernMeta, ...envelope } } : {});
  const line = server.output().trimEnd().split("\n").at(-1) ?? "";
  server.close();
  await server.exited;
  const { tools } = (JSON.parse(line) as { result: { tools: unknown } }).result;
  const length = JSON.stringify(tools).length;
  const start = line.indexOf('"tools":') + '"tools":'.length;
  return line.slice(start, start + length);
}

const clientInfo = { name: "e2e", version: "1" };
const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What a reply says; its text must be the same as its structured content. */
function facts({ structuredContent, content }: ToolReply): Record<string, unknown> {
  expect(content).toHaveLength(1);
  expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  return structuredContent ?? {};
}

/** What a failed reply says: the page's object. */
function failure(reply: ToolReply): Record<string, unknown> {
  expect(reply.isError).toBe(true);
  const said = facts(reply);
  expect(said).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+[.?!]$/) });
  return said;
}

const nineTools = [
  "agents_send",
  "agents_spawn",
  "agents_status",
  "agents_wait",
  "fleet_cleanup",
  "fleet_focus",
  "fleet_session",
  "fleet_sessions_needing_attention",
  "fleet_status",
];
