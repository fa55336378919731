import { spawn as startProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createAgentShell } from "./agent-shell.ts";
import { paneOf, profileToml } from "./scripted-agents.ts";
import { controlOn, createStage, type Stage, spawnWorker } from "./stage.ts";
import { createWorld, type LaunchFile, program, until, type World } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: World;
afterEach(() => world.close());

type Setting = { readonly control?: string; readonly more?: (world: World) => string };

async function setStage({ control = "", more = () => "" }: Setting = {}): Promise<Stage> {
  world = createWorld();
  return createStage({ world, control: `mcp_rate_per_minute = 60\n${control}`, more: more(world) });
}

const recordPath = (id: string) => join(world.stateDirectory, "launches", `${id}.json`);

/** The launch records of this world. */
function records(): LaunchFile[] {
  return readdirSync(join(world.stateDirectory, "launches"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => world.record(name.slice(0, -".json".length)));
}

function windows(): string[] {
  return world
    .tmux("list-windows", "-a", "-F", "#{window_id} #{window_name} #{pane_dead}")
    .trim()
    .split("\n");
}

const shell = (script: string) => ["/bin/sh", "-c", script];

it("T-15 T-17 of 30 spawns at once over two servers no more than mcp_max_agents ever live, and nothing half-made stays", async () => {
  const { shell, client } = await setStage({ control: "mcp_max_agents = 5" });
  const second = await shell.connect();
  await second.initialize();
  const windowsBefore = windows().length;
  let most = 0;
  const countLive = () => {
    const live = records().filter((each) => each["spawned_by"] !== null && each.state === "claimed");
    most = Math.max(most, live.length);
  };
  const watching = setInterval(countLive, 20);
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      (index % 2 ? client : second).call("agents_spawn", { profile: "worker" }),
    ),
  );
  clearInterval(watching);
  countLive();
  expect(most).toBe(5);
  const started = replies.filter((reply) => reply["ok"]);
  expect(started).toHaveLength(4);
  for (const reply of replies.filter((each) => !each["ok"])) {
    expect(reply).toMatchObject({ outcome: "refused", exit_code: 5, code: "agent-cap-reached" });
    expect(reply["error"]).toMatch(/^5 agents .* mcp_max_agents allows 5\b/);
  }
  expect(records().map((each) => each.state)).toEqual(Array.from({ length: 6 }, () => "claimed"));
  expect(windows()).toHaveLength(windowsBefore + 4);

  world.tmux("kill-pane", "-t", paneOf(world, String(started[0]?.["launch_id"])));
  const again = async () => (await client.call("agents_spawn", { profile: "worker" }))["ok"] === true;
  await until(again, 10_000, "the place of an agent that ended is free");
});

it("T-05 the record of a spawned agent is private and has every field", async () => {
  const { lead, worker } = await setStage();
  const path = recordPath(worker);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(world.stateDirectory, "launches")).mode & 0o777).toBe(0o700);
  const record = world.record(worker);
  const pid = Number(world.tmux("display-message", "-p", "-t", paneOf(world, worker), "#{pane_pid}"));
  const started = expect.stringMatching(/^\d+$/);
  const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(record).toEqual({
    schema: 1,
    id: worker,
    profile: "worker",
    harness: "none",
    argv: [process.execPath, world.script("worker.mjs"), world.workerFile()],
    env: {},
    cwd: process.cwd(),
    base_dir: process.cwd(),
    config_file: join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml"),
    state_dir: world.stateDirectory,
    runtime_dir: join(world.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents"),
    multiplexer: "tmux",
    session: { id: world.tmux("display-message", "-p", "#{session_id}").trim(), name: "agents" },
    socket: world.socket,
    pane_id: expect.stringMatching(/^%\d+$/),
    server: { pid: Number(world.tmux("display-message", "-p", "#{pid}")), start: started },
    process: { pid, start: started, boot_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    spawned_by: lead,
    created_at: when,
    claimed_at: when,
    replaced_by: null,
    state: "claimed",
  });
  expect(Number(readFileSync(`${world.workerFile()}.ready`, "utf8"))).toBe(pid);
});

it("T-17 a profile that dies at once answers exited with its status and last lines, and leaves no window", async () => {
  const { client } = await setStage({
    more: () =>
      profileToml("missing", ["/nowhere/no-such-program", "x"]) +
      profileToml("seven", shell("echo first; echo 'last\\033[31m w\u202eor\u200bds'; exit 7")) +
      profileToml("brief", shell("sleep 0.15; echo bye; exit 9")) +
      profileToml("killed", shell("kill -9 $$")),
  });
  const before = windows();
  const deaths: readonly (readonly [string, RegExp, RegExp | undefined])[] = [
    ["missing", /status 127\b/, /no-such-program.*No such file/],
    ...Array.from({ length: 4 }, () => ["seven", /status 7\b/, /^first\nlast words$/] as const),
    ["brief", /status 9\b/, /bye/],
    ["killed", /ended/, undefined],
  ];
  for (const [profile, status, lines] of deaths) {
    const reply = await client.call("agents_spawn", { profile });
    expect(reply, profile).toMatchObject({
      ok: false,
      outcome: "exited",
      exit_code: 4,
      code: "died-at-start",
    });
    expect(reply["error"]).toMatch(status);
    expect(reply["error"]).not.toMatch(/bye|words|No such file/);
    if (lines) expect(reply["screen_text"]).toMatch(lines);
    expect(world.record(String(reply["launch_id"])).state).toBe("exited");
    expect(windows()).toEqual(before);
  }
});

it("T-09 a profile whose directory is missing is refused and leaves no record", async () => {
  const { client } = await setStage({
    more: (world) => world.workerProfile("lost", `mcp_control = true\ncwd = "/nowhere/at all"`),
  });
  const before = records().length;
  const reply = await client.call("agents_spawn", { profile: "lost" });
  expect(reply).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: "directory-missing" });
  expect(records()).toHaveLength(before);
});

it("T-09 T-10 a hostile directory, argv and environment reach the program byte for byte, and none runs as a command", async () => {
  const name = "-n #(touch ran) #{pane_id} 'q' \"d\" $HOME `touch ran`; touch ran;\u00e9世 ";
  const hostile = [
    "",
    "a;",
    ";",
    "-x",
    "$HOME `touch ran` $(touch ran)",
    "line\nbreak",
    "'\"\\",
    "#(touch ran)",
  ];
  const { client } = await setStage({
    more: (world) => {
      const directory = join(world.root, name);
      mkdirSync(directory);
      return profileToml(
        "hostile",
        [process.execPath, world.script("prints-itself.mjs"), join(world.root, "seen"), ...hostile],
        `mcp_control = true\ncwd = ${JSON.stringify(directory)}\nenv = { WORD = ${JSON.stringify(`${name}\n;`)} }`,
      );
    },
  });
  expect(await client.call("agents_spawn", { profile: "hostile" })).toMatchObject({ ok: true });
  const seen = () => JSON.parse(readFileSync(join(world.root, "seen"), "utf8")) as Record<string, unknown>;
  await until(() => readdirSync(world.root).includes("seen"), 10_000, "the program ran");
  await until(() => readFileSync(join(world.root, "seen"), "utf8").endsWith("}"), 5_000, "it wrote");
  expect(seen()["argv"]).toEqual(hostile);
  expect(seen()["cwd"]).toBe(join(world.root, name));
  expect((seen()["env"] as Record<string, string>)["WORD"]).toBe(`${name}\n;`);
  expect(readdirSync(join(world.root, name))).toEqual([]);
  expect(readdirSync(world.root)).not.toContain("ran");
  expect(readdirSync(process.cwd())).not.toContain("ran");
});

it("T-06 T-17 a program that takes long before it becomes another is running, under the same process", async () => {
  const { client } = await setStage({
    more: (world) =>
      profileToml(
        "slow",
        shell(
          `sleep 1.5; exec '${process.execPath}' '${world.script("worker.mjs")}' '${world.workerFile("slow")}'`,
        ),
      ),
  });
  const slow = await spawnWorker(world, client, "slow");
  expect(Number(readFileSync(`${world.workerFile("slow")}.ready`, "utf8"))).toBe(
    world.record(slow).process?.pid,
  );
  expect(await client.call("agents_send", { launch_id: slow, text: "hello" })).toMatchObject({ ok: true });
});

it("T-17 the window that an attached person looks at stays, and so does its pane", async () => {
  const { client } = await setStage();
  const attach = `tmux -u -S '${world.socket}' attach-session -t agents`;
  const person = startProcess("script", ["-qc", attach, "/dev/null"], {
    env: world.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  try {
    const looking = () => world.tmux("list-clients", "-F", "#{session_id} #{window_id} #{pane_id}").trim();
    await until(() => looking() !== "", 10_000, "a person is attached");
    const before = looking();
    expect(await client.call("agents_spawn", { profile: "worker" })).toMatchObject({ ok: true });
    expect(await client.call("agents_spawn", { profile: "worker" })).toMatchObject({ ok: true });
    expect(looking()).toBe(before);
  } finally {
    person.kill("SIGKILL");
  }
});

it("T-15 T-44 an agent started by an agent may start more only with mcp_nested_spawn", async () => {
  world = createWorld();
  const sub = createAgentShell(world, "sub");
  const { client } = await createStage({ world, more: sub.toml });
  const spawned = await client.call("agents_spawn", { profile: "sub" });
  const inner = await sub.connect();
  await inner.initialize();
  expect(await inner.call("agents_spawn", { profile: "worker" })).toMatchObject({
    ok: false,
    outcome: "refused",
    exit_code: 5,
    code: "nested-spawn-disabled",
  });
  expect((await sub.run([process.execPath, program, "launch", "worker"])).code).toBe(5);
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace(controlOn, `${controlOn}mcp_nested_spawn = true\n`),
  );
  const nested = await inner.call("agents_spawn", { profile: "worker" });
  expect(nested).toMatchObject({ ok: true, state: "running" });
  expect(world.record(String(nested["launch_id"]))["spawned_by"]).toBe(spawned["launch_id"]);
});

it("T-17 a session or server that is killed while a profile starts leaves no pending record", async () => {
  for (const kill of [["kill-session", "-t", "agents"], ["kill-server"]]) {
    world = createWorld();
    world.writeConfig(world.workerProfile());
    const keep = ["new-session", "-d", "-s", "other", "sleep 100"];
    world.tmux("new-session", "-d", "-s", "agents", "sleep 100");
    world.tmux(...keep);
    const launching = world.cli(["launch", "worker", "--json"]);
    await until(() => windows().length > 2, 10_000, "the window of the new agent");
    world.tmux(...kill);
    const ran = await launching;
    expect(ran.code, ran.stdout).not.toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+$/) });
    expect(
      records()
        .map((each) => each.state)
        .filter((state) => state !== "exited"),
    ).toEqual([]);
    if (kill[0] === "kill-session") await world.close();
  }
});

it("T-08 T-11 an agent whose pane was given to another program by hand is gone, and that program reads nothing", async () => {
  const { client, worker } = await setStage();
  const file = world.workerFile("intruder");
  world.tmux(
    "respawn-pane",
    "-k",
    "-t",
    paneOf(world, worker),
    process.execPath,
    world.script("worker.mjs"),
    file,
  );
  await until(() => world.isReading("intruder"), 10_000, "the intruder reads");
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({
    ok: false,
    outcome: "exited",
    exit_code: 4,
  });
  expect(await client.call("agents_status", { launch_id: worker })).toMatchObject({
    ok: true,
    state: "exited",
  });
  expect(world.workerBytes("intruder").length).toBe(0);
  expect(world.record(worker).state).toBe("exited");
});

it("T-07 a pane that is started again by hand cannot claim its launch a second time", async () => {
  const { client, worker } = await setStage();
  const before = world.record(worker);
  const pane = paneOf(world, worker);
  world.tmux("set-option", "-p", "-t", pane, "remain-on-exit", "on");
  world.tmux("respawn-pane", "-k", "-t", pane);
  const isDead = () => world.tmux("display-message", "-p", "-t", pane, "#{pane_dead}") === "1\n";
  await until(isDead, 10_000, "the second claim has failed");
  expect(world.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", pane)).toMatch(/claimed already/);
  expect(world.record(worker)).toEqual(before);
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({
    ok: false,
    outcome: "exited",
  });
});

it("T-08 T-11 a launch whose pane a newer launch claimed is replaced and refused", async () => {
  const { client, worker } = await setStage();
  const newer = `${worker.slice(0, -2)}${worker.endsWith("aa") ? "ba" : "aa"}`;
  const pane = paneOf(world, worker);
  const pending = {
    ...world.record(worker),
    id: newer,
    state: "pending",
    server: null,
    process: null,
    claimed_at: null,
  };
  writeFileSync(recordPath(newer), JSON.stringify(pending), { mode: 0o600 });
  const claim = [process.execPath, program, "pane", newer, world.stateDirectory];
  world.tmux("respawn-pane", "-k", "-t", pane, "/bin/sh", "-c", 'l=$("$@") && eval "$l"', "sh", ...claim);
  await until(() => world.record(newer).state === "claimed", 10_000, "the newer launch claims the pane");
  await until(() => world.record(worker).state === "replaced", 5_000, "the older is replaced");
  expect(world.record(worker)["replaced_by"]).toBe(newer);
  for (const tool of ["agents_status", "agents_wait", "agents_send"]) {
    const text = tool === "agents_send" ? { text: "hello" } : {};
    expect(await client.call(tool, { launch_id: worker, ...text })).toMatchObject({
      ok: false,
      outcome: "refused",
      exit_code: 5,
      code: "launch-replaced",
    });
  }
  expect(await client.call("agents_send", { launch_id: newer, text: "hello" })).toMatchObject({ ok: true });
});
