import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createAgentShell, mcpServer } from "./agent-shell.ts";
import { createStage, expectRefused, type Stage, spawnWorker, untilReading } from "./stage.ts";
import { connectOutside, createWorld, type LaunchFile, until, type World } from "./world.ts";

let world: World | undefined;
afterEach(() => world?.close());

async function setStage(options: Parameters<typeof createStage>[0] = {}): Promise<Stage> {
  world = options.world ?? createWorld();
  return createStage({ ...options, world });
}

function editRecord(world: World, launchId: string, changes: Readonly<Record<string, unknown>>): void {
  const path = join(world.stateDirectory, "launches", `${launchId}.json`);
  const record = JSON.parse(readFileSync(path, "utf8")) as LaunchFile;
  writeFileSync(path, JSON.stringify({ ...record, ...changes }));
}

const fleetTools = [
  "fleet_status",
  "fleet_session",
  "fleet_sessions_needing_attention",
  "fleet_focus",
  "fleet_cleanup",
];
const controlTools = ["agents_spawn", "agents_send", "agents_status", "agents_wait"];

it("T-23 five tools while control is off, and agents_* stay unknown after it is switched on, until a restart", async () => {
  world = createWorld();
  world.writeConfig("[control]\nmcp_enabled = false\n");
  const client = connectOutside(world.env);
  await client.initialize();
  expect(await client.toolNames()).toEqual(fleetTools);
  world.writeConfig("[control]\nmcp_enabled = true\n");
  expect(await client.toolNames()).toEqual(fleetTools);
  for (const tool of controlTools) await expect(client.callRaw(tool, {})).rejects.toThrow(tool);
  expect(client.notifications).toEqual([]);
  client.close();
  const restarted = connectOutside(world.env);
  await restarted.initialize();
  expect(await restarted.toolNames()).toEqual([...fleetTools, ...controlTools]);
  restarted.close();
});

it("T-23 T-03 five tools when the file is missing or invalid at the start", async () => {
  world = createWorld();
  for (const toml of [undefined, "[control]\nmcp_enable = true\n", "[control]\nmcp_enabled = 1\n", "[["]) {
    if (toml !== undefined) world.writeConfig(toml);
    const client = connectOutside(world.env);
    await client.initialize();
    expect(await client.toolNames()).toEqual(fleetTools);
    expect(await client.call("fleet_status", {})).toMatchObject({ total: 0 });
    client.close();
  }
});

it("T-38 the control tools take exactly the page's arguments", async () => {
  world = createWorld();
  world.writeConfig("[control]\nmcp_enabled = true\n");
  const client = connectOutside(world.env);
  await client.initialize();
  const { tools } = (await client.request("tools/list", {})) as { tools: readonly ListedTool[] };
  const schemas = tools
    .filter(({ name }) => controlTools.includes(name))
    .map(({ name, inputSchema: { properties, required, additionalProperties } }) => [
      name,
      Object.keys(properties),
      required,
      additionalProperties,
    ]);
  expect(schemas).toEqual([
    ["agents_spawn", ["profile"], ["profile"], false],
    ["agents_send", ["launch_id", "text"], ["launch_id", "text"], false],
    ["agents_status", ["launch_id"], ["launch_id"], false],
    ["agents_wait", ["launch_id", "until", "timeout_s"], ["launch_id"], false],
  ]);
  client.close();
});

interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: object;
    readonly required: readonly string[];
    readonly additionalProperties: unknown;
  };
}

const badArguments = [
  ["agents_spawn", {}, "profile"],
  ["agents_spawn", { profile: 7 }, "profile"],
  ["agents_spawn", { profile: ["worker"] }, "profile"],
  ["agents_spawn", { profile: "worker", command: ["sh"] }, "command"],
  ["agents_spawn", { profile: "worker", env: {} }, "env"],
  ["agents_spawn", { profile: "worker", cwd: "/" }, "cwd"],
  ["agents_spawn", { Profile: "worker", profile: "worker" }, "profile"],
  ["agents_send", { launch_id: "x" }, "text"],
  ["agents_send", { text: "x" }, "launch_id"],
  ["agents_send", { launch_id: "x", text: null }, "text"],
  ["agents_send", { launch_id: "x", text: "x", txt: "x" }, "txt"],
  ["agents_status", { launch_id: 1 }, "launch_id"],
  ["agents_status", { launchId: "x" }, "launch"],
  ["agents_wait", { launch_id: "x", timeout_s: 601 }, "timeout_s"],
  ["agents_wait", { launch_id: "x", timeout_s: -1 }, "timeout_s"],
  ["agents_wait", { launch_id: "x", timeout_s: 1.5 }, "timeout_s"],
  ["agents_wait", { launch_id: "x", timeout_s: "45" }, "timeout_s"],
  ["agents_wait", { launch_id: "x", until: "finished" }, "until"],
] as const;

it("T-37 bad arguments of a control tool are an error of exit code 2 that names the argument, and are audited", async () => {
  const { world, lead, client } = await setStage();
  for (const [tool, args, named] of badArguments) {
    const { isError, structuredContent, content } = await client.callRaw(tool, args);
    expect([tool, args, structuredContent]).toEqual([
      tool,
      args,
      expect.objectContaining({ ok: false, outcome: "error", exit_code: 2 }),
    ]);
    expect(structuredContent?.["error"]).toContain(named);
    expect(structuredContent?.["error"]).toMatch(/^[^\n]+[.!?]$/);
    expect(isError).toBe(true);
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
    expect(world.auditLines().at(-1)).toMatchObject({
      actor: `mcp:${lead}`,
      caller: lead,
      action: tool.slice("agents_".length),
      exit_code: 2,
    });
  }
  expect(world.workerBytes().toString()).toBe("");
});

it("T-37 an argument that a client adds to every call is tolerated", async () => {
  const { client, worker } = await setStage();
  const sent = await client.call("agents_send", { launch_id: worker, text: "x", wait_for_previous: true });
  expect(sent).toMatchObject({ ok: true });
});

it("T-15 every check of a send has its own sentence, and the first that fails is the one told", async () => {
  world = createWorld();
  const { client, lead, worker, shell } = await setStage({ world });
  const profiles = (leadOptions: string, workerOptions: string) =>
    createAgentShell(world as World, "lead", leadOptions).toml +
    (world as World).workerProfile("worker", workerOptions);
  const off = "mcp_control = false";
  const on = "mcp_control = true";
  const persons = await world.launch("worker");
  const config = (control: string, ...[leadOptions, workerOptions]: readonly [string, string]) =>
    world?.writeConfig(`[control]\n${control}\n${profiles(leadOptions, workerOptions)}`);
  const told: unknown[] = [];
  const send = async (launch_id: string, code: string) => {
    const reply = await client.call("agents_send", { launch_id, text: "hello" });
    expectRefused(world as World, reply, { code, action: "send" });
    told.push(reply["error"]);
  };
  expect(shell.toml).toContain(on);

  config("mcp_enabled = false", off, off);
  editRecord(world, lead, { state: "replaced", replaced_by: worker });
  await send("nobody", "control-disabled");
  config("mcp_enabled = true\nmcp_rate_per_minute = 1", off, off);
  await send("nobody", "launch-replaced");
  editRecord(world, lead, { state: "claimed", replaced_by: null, profile: "" });
  await send("nobody", "caller-profile-unnamed");
  editRecord(world, lead, { profile: "Lead" });
  await send("nobody", "caller-profile-unknown");
  editRecord(world, lead, { profile: "lead" });
  await send("nobody", "caller-profile-not-opted-in");
  config("mcp_enabled = true\nmcp_rate_per_minute = 1", on, off);
  await send("nobody", "launch-unknown");
  await send(lead, "target-is-caller");
  editRecord(world, persons, { profile: "", state: "pending" });
  await send(persons, "target-profile-unnamed");
  editRecord(world, persons, { profile: "gone" });
  await send(persons, "target-profile-unknown");
  editRecord(world, persons, { profile: "worker" });
  await send(persons, "target-profile-not-opted-in");
  config("mcp_enabled = true\nmcp_rate_per_minute = 1", on, on);
  await send(persons, "target-not-owned");
  config("mcp_enabled = true\nmcp_rate_per_minute = 1\nmcp_any_target = true", on, on);
  await send(persons, "launch-pending");

  expect(new Set(told).size).toBe(told.length);
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
  const limited = await client.call("agents_send", { launch_id: persons, text: "hello" });
  expect(limited).toMatchObject({ ok: false, outcome: "rate-limited", exit_code: 5 });
  expect(limited["retry_after_s"]).toBeGreaterThan(0);
  expect(world.auditLines().at(-1)).toMatchObject({ outcome: "rate-limited", exit_code: 5, target: persons });
});

it("T-15 every check of a spawn has its own sentence, and the first that fails is the one told", async () => {
  const { world, client, lead, worker } = await setStage();
  const profiles = (leadOptions: string) =>
    `${createAgentShell(world, "lead", leadOptions).toml}${world.workerProfile()}${world.workerProfile("closed", "")}`;
  const config = (control: string, leadOptions = "mcp_control = true") =>
    world.writeConfig(`[control]\n${control}\n${profiles(leadOptions)}`);
  const told: unknown[] = [];
  const panes = () => world.tmux("list-panes", "-a").split("\n").length;
  const before = panes();
  const spawn = async (profile: string, code: string) => {
    const reply = await client.call("agents_spawn", { profile });
    expectRefused(world, reply, { code, action: "spawn" });
    told.push(reply["error"]);
  };

  config("mcp_enabled = false", "");
  editRecord(world, lead, { state: "replaced", replaced_by: worker, spawned_by: worker });
  await spawn("workr", "control-disabled");
  config("mcp_enabled = true", "");
  await spawn("workr", "launch-replaced");
  editRecord(world, lead, { state: "claimed", replaced_by: null });
  await spawn("workr", "caller-profile-not-opted-in");
  config("mcp_enabled = true\nmcp_max_agents = 1");
  await spawn("workr", "nested-spawn-disabled");
  config("mcp_enabled = true\nmcp_max_agents = 1\nmcp_nested_spawn = true");
  await spawn("workr", "spawn-profile-unknown");
  expect(told.at(-1)).toContain('"worker"');
  await spawn("", "spawn-profile-unnamed");
  await spawn("__proto__", "spawn-profile-unknown");
  await spawn("closed", "spawn-profile-not-opted-in");
  await spawn("worker", "agent-cap-reached");
  expect(new Set(told).size).toBe(told.length);
  expect(panes()).toBe(before);

  config("mcp_enabled = true\nmcp_nested_spawn = true\nmcp_rate_per_minute = 1");
  const limited = await client.call("agents_spawn", { profile: "worker" });
  expect(limited).toMatchObject({ ok: false, outcome: "rate-limited", exit_code: 5 });
  expect(panes()).toBe(before);
  const { launches } = JSON.parse((await world.cli(["list", "--json", "--all"])).stdout) as {
    launches: unknown[];
  };
  expect(launches).toHaveLength(2);
});

it("T-15 T-23 switching control off refuses calls of servers that already run, at once, and on again allows them", async () => {
  const { world, client, worker } = await setStage();
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  const on = readFileSync(config, "utf8");
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(config, on.replace("mcp_enabled = true", "mcp_enabled = false"));
    const calls = [
      ["agents_send", { launch_id: worker, text: "hello" }],
      ["agents_spawn", { profile: "worker" }],
      ["agents_status", { launch_id: worker }],
      ["agents_wait", { launch_id: worker }],
    ] as const;
    for (const [tool, args] of calls) {
      const action = tool.slice("agents_".length);
      expectRefused(world, await client.call(tool, args), { code: "control-disabled", action });
    }
    expect(await client.call("fleet_status", {})).toMatchObject({ truncated: false });
    writeFileSync(config, on);
    expect(await client.call("agents_status", { launch_id: worker })).not.toMatchObject({
      outcome: "refused",
    });
  }
});

it("T-02 T-03 a file that became invalid refuses control calls with its place, and fleet_* go on", async () => {
  const { world, client, worker } = await setStage();
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  const good = readFileSync(config, "utf8");
  const breakings: readonly (() => void)[] = [
    () => writeFileSync(config, good.replace("mcp_control", "mcp_controll")),
    () => writeFileSync(config, good.replace("mcp_enabled = true", "mcp_enabled = yes")),
    () => writeFileSync(config, `${good}\n[control]\n`),
    () => writeFileSync(config, Buffer.from([0xff, 0xfe])),
    () => {
      rmSync(config);
      mkdirSync(config);
    },
    () => {
      rmSync(config, { recursive: true });
      execFileSync("mkfifo", [config]);
    },
  ];
  for (const breakIt of breakings) {
    breakIt();
    const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
    expectRefused(world, reply, { code: "config-invalid", action: "send" });
    expect(reply["error"]).toMatch(/^config\.toml(:\d+:\d+:| cannot be read: )/);
    expect(await client.call("fleet_status", {})).toMatchObject({ truncated: false });
  }
  rmSync(config, { recursive: true });
  writeFileSync(config, good);
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
});

it("T-15 mcp_any_target opens the panes of other callers and of the person, opted-in ones only", async () => {
  const { world, client } = await setStage();
  const persons = await world.launch("worker");
  await untilReading(world);
  expectRefused(world, await client.call("agents_send", { launch_id: persons, text: "hello" }), {
    code: "target-not-owned",
    action: "send",
  });
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  const toml = readFileSync(config, "utf8").replace("mcp_enabled", "mcp_any_target = true\nmcp_enabled");
  writeFileSync(config, toml);
  expect(await client.call("agents_send", { launch_id: persons, text: "hello" })).toMatchObject({ ok: true });
});

it("T-15 an agent that an agent started may start more only with mcp_nested_spawn, and owns what it started", async () => {
  world = createWorld();
  const child = createAgentShell(world, "child");
  const { client, lead } = await setStage({ world, more: child.toml });
  const spawned = await client.call("agents_spawn", { profile: "child" });
  expect(spawned).toMatchObject({ ok: true, state: "running" });
  const below = await child.connect();
  await below.initialize();
  const refused = await below.call("agents_spawn", { profile: "worker" });
  expectRefused(world, refused, { code: "nested-spawn-disabled", action: "spawn" });
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  const toml = readFileSync(config, "utf8").replace("mcp_enabled", "mcp_nested_spawn = true\nmcp_enabled");
  writeFileSync(config, toml);
  const grandchild = await spawnWorker(world, below);
  expect(world.record(grandchild)["spawned_by"]).toBe(spawned["launch_id"]);
  expect(world.record(String(spawned["launch_id"]))["spawned_by"]).toBe(lead);
  const reply = await client.call("agents_send", { launch_id: grandchild, text: "hello" });
  expectRefused(world, reply, { code: "target-not-owned", action: "send" });
  const upwards = await below.call("agents_send", { launch_id: lead, text: "hello" });
  expectRefused(world, upwards, { code: "target-not-owned", action: "send" });
});

it("T-14 C-26 a server without TONGS_AGENTS_LAUNCH_ID is told to install, whatever it runs under", async () => {
  const { world, shell, worker } = await setStage();
  for (const env of [{ TONGS_AGENTS_LAUNCH_ID: null }, { TONGS_AGENTS_LAUNCH_ID: "" }]) {
    const client = await shell.connect({ env });
    await client.initialize();
    const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
    expectRefused(world, reply, { code: "caller-unknown", action: "send" });
    expect(reply["error"]).toContain("tongs-agents install");
    expect(world.auditLines().at(-1)).toMatchObject({ actor: "mcp", caller: null });
    client.close();
  }
});

it("T-43 C-26 servers of one launch share config, log and rate window, whatever their environment says", async () => {
  const { world, shell, lead, worker } = await setStage({ control: "mcp_rate_per_minute = 3" });
  const decoy = join(world.root, "decoy");
  mkdirSync(join(decoy, "tongs-agents"), { recursive: true });
  const lax = "[control]\nmcp_enabled = true\nmcp_rate_per_minute = 60\nmcp_any_target = true\n";
  writeFileSync(join(decoy, "tongs-agents", "config.toml"), lax);
  const codex = ["HOME", "PATH", "SHELL", "LANG", "TERM", "TMPDIR"].map(
    (name) => `${name}=${world.env[name] ?? ""}`,
  );
  const servers = [
    { env: { XDG_STATE_HOME: decoy, XDG_RUNTIME_DIR: decoy, XDG_CONFIG_HOME: decoy, HOME: decoy } },
    {
      env: {
        TONGS_AGENTS_STATE_DIR: join(decoy, "tongs-agents"),
        TONGS_AGENTS_CONFIG: join(decoy, "tongs-agents", "config.toml"),
      },
    },
    { argv: ["env", "-i", ...codex, `TONGS_AGENTS_LAUNCH_ID=${lead}`, ...mcpServer] },
    { argv: ["env", "-i", `PATH=${world.env["PATH"]}`, `TONGS_AGENTS_LAUNCH_ID=${lead}`, ...mcpServer] },
    {},
  ];
  const outcomes: unknown[] = [];
  for (const server of servers) {
    const client = await shell.connect(server);
    await client.initialize();
    expect(await client.toolNames()).toHaveLength(9);
    const { outcome = "ok" } = await client.call("agents_send", { launch_id: worker, text: "hello" });
    outcomes.push(outcome);
    client.close();
  }
  expect(outcomes).toEqual(["ok", "ok", "ok", "rate-limited", "rate-limited"]);
  const sends = world.auditLines().filter(({ action }) => action === "send");
  expect(sends.map(({ actor, outcome }) => [actor, outcome])).toEqual(
    outcomes.map((outcome) => [`mcp:${lead}`, outcome]),
  );
});

it("T-44 the driving verbs in an agent's shell are audited with that agent as the caller", async () => {
  const { world, shell, lead, worker } = await setStage();
  const cli = (...args: string[]) => shell.run([...mcpServer.slice(0, 2), ...args]);
  const sent = await cli("send", worker, "from the shell", "--json");
  expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([0, { ok: true }]);
  await until(() => world.workerBytes().includes("\r"), 5_000, "the prompt");
  expect((await cli("wait", worker, "--until", "exited", "--timeout", "0", "--json")).code).toBe(3);
  const launched = await cli("launch", "worker", "--json");
  const { launch_id: id } = JSON.parse(launched.stdout) as { launch_id: string };
  expect(world.record(id)["spawned_by"]).toBe(lead);
  const lines = world.auditLines().slice(-3);
  expect(lines.map(({ actor, caller, action, target }) => [actor, caller, action, target])).toEqual([
    [expect.stringMatching(/^cli:/), lead, "send", worker],
    [expect.stringMatching(/^cli:/), lead, "wait", worker],
    [expect.stringMatching(/^cli:/), lead, "spawn", id],
  ]);
});

it("T-44 the shell is no way round mcp_nested_spawn, with whatever environment and session", async () => {
  world = createWorld();
  const child = createAgentShell(world, "child");
  const { client } = await setStage({ world, more: child.toml });
  const spawned = await client.call("agents_spawn", { profile: "child" });
  const launch = [...mcpServer.slice(0, 2), "launch", "worker", "--json"];
  const decoy = join(world.root, "decoy");
  const lax = `[control]\nmcp_enabled = true\nmcp_nested_spawn = true\n[workspace]\nsocket = "${world.socket}"\n${world.workerProfile()}`;
  mkdirSync(join(decoy, "tongs-agents"), { recursive: true });
  writeFileSync(join(decoy, "tongs-agents", "config.toml"), lax);
  const none = { TONGS_AGENTS_LAUNCH_ID: null, TONGS_AGENTS_STATE_DIR: null, TONGS_AGENTS_CONFIG: null };
  const dirs = { XDG_STATE_HOME: decoy, XDG_RUNTIME_DIR: decoy, XDG_CONFIG_HOME: decoy };
  const overrides = {
    TONGS_AGENTS_STATE_DIR: join(decoy, "tongs-agents"),
    TONGS_AGENTS_CONFIG: join(decoy, "tongs-agents", "config.toml"),
  };
  const before = world.tmux("list-panes", "-a").split("\n").length;
  const tries: readonly (readonly [string, readonly string[], Parameters<typeof child.run>[1]])[] = [
    ["plainly", launch, {}],
    ["without the launch id", launch, { TONGS_AGENTS_LAUNCH_ID: null }],
    ["without any of the variables", launch, none],
    ["with other XDG directories", launch, { ...none, ...dirs }],
    ["with other directories of its own", launch, overrides],
    ["with another home", launch, { ...none, ...dirs, HOME: decoy }],
    ["in a session of its own", ["setsid", "-w", ...launch], none],
    ["with an empty environment", ["env", "-i", `PATH=${world.env["PATH"]}`, ...launch], {}],
    [
      "through shells",
      ["sh", "-c", '(setsid -w sh -c "\\"\\$@\\"" sh "$@"); exit $?', "sh", ...launch],
      { ...none, ...dirs },
    ],
    ["left behind by its shell", ["sh", "-c", leaveBehind, join(world.root, "left"), ...launch], {}],
  ];
  for (const [how, argv, env] of tries) {
    const ran = await child.run(argv, env);
    expect([how, ran.code, JSON.parse(ran.stdout)]).toMatchObject([
      how,
      5,
      { ok: false, code: "nested-spawn-disabled" },
    ]);
    expect(world.auditLines().at(-1)).toMatchObject({
      caller: spawned["launch_id"],
      action: "spawn",
      outcome: "refused",
    });
  }
  expect(world.tmux("list-panes", "-a").split("\n")).toHaveLength(before);
});

// A background job whose shell ends before it looks; the outer shell only reads what became of it.
const leaveBehind = [
  'sh -c \'(sleep 0.3; "$@" >"$0.out"; echo $? >"$0.rc") & \' "$0" "$@"',
  'until test -s "$0.rc"; do sleep 0.05; done',
  'cat "$0.out"; exit "$(cat "$0.rc")"',
].join("\n");
