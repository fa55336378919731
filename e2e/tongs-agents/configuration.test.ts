import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { mcpServer } from "./agent-shell.ts";
import { createStage } from "./stage.ts";
import { createWorld, program, runProgram, until, type World } from "./world.ts";

const isRoot = process.getuid?.() === 0;
let world: World | undefined;
afterEach(() => world?.close());

async function setStage() {
  world = createWorld();
  return createStage({ world });
}

const configFile = (made: World) => join(made.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");

/** Writes the bytes as they are and runs `config check`. */
async function check(made: World, bytes: string | Uint8Array) {
  mkdirSync(dirname(configFile(made)), { recursive: true });
  rmSync(configFile(made), { recursive: true, force: true });
  writeFileSync(configFile(made), bytes);
  const { code, stdout, stderr } = await made.cli(["config", "check", "--json"]);
  expect(stderr).not.toMatch(/^\s+at /m);
  return { exit: code, ...(JSON.parse(stdout) as { ok: boolean; error?: string; mcp_enabled?: boolean }) };
}

const on = "[control]\nmcp_enabled = true\n";

it("T-04 C-10 a byte order mark and CRLF are accepted", async () => {
  world = createWorld();
  for (const text of [`\ufeff${on}`, on.replaceAll("\n", "\r\n"), `\ufeff${on.replaceAll("\n", "\r\n")}`]) {
    expect(await check(world, text)).toMatchObject({ exit: 0, ok: true, mcp_enabled: true });
  }
});

const bad: readonly (readonly [string, string | Uint8Array, place: string, says: string])[] = [
  ["invalid UTF-8", Buffer.from([...Buffer.from(`${on}# `), 0xff, 0x0a]), "3:3", "UTF-8"],
  ["UTF-16", Buffer.from(`\ufeff${on}`, "utf16le"), "1:1", "UTF-16"],
  ["NUL", `${on}# \0\n`, "3:3", "NUL"],
  ["a lone carriage return", `${on}# \r x\n`, "3:3", "carriage return"],
  ["a key twice", `${on}mcp_enabled = false\n`, "3:1", '"mcp_enabled" is defined a second time'],
  ["a table twice", `${on}[control]\n`, "3:2", '"control" is defined a second time'],
  ["no TOML", "[control\n", "1:", "TOML"],
  ["a near-miss key", "[control]\nmcp_enable = true\n", "2:1", "did you mean mcp_enabled?"],
  ["a near-miss table", "[controll]\nmcp_enabled = true\n", "1:2", "did you mean control?"],
  [
    "a near-miss profile key",
    '[profiles.a]\ncommand = ["x"]\nmcp_contrl = true\n',
    "3:1",
    "did you mean mcp_control?",
  ],
  ["a word for a switch", '[control]\nmcp_enabled = "true"\n', "2:15", "true or false"],
  ["rate 0", "[control]\nmcp_rate_per_minute = 0\n", "2:23", "mcp_rate_per_minute"],
  ["rate 61", "[control]\nmcp_rate_per_minute = 61\n", "2:23", "60"],
  ["rate 6.0", "[control]\nmcp_rate_per_minute = 6.0\n", "2:23", "whole number"],
  ["rate 1e30", "[control]\nmcp_rate_per_minute = 1e30\n", "2:23", "whole number"],
  ["an endless rate", `[control]\nmcp_rate_per_minute = ${"9".repeat(18)}\n`, "2:23", "60"],
  ["an empty command", "[profiles.a]\ncommand = []\n", "2:11", "must name a program"],
  ["a shell line", '[profiles.a]\ncommand = "claude --x"\n', "2:11", "list"],
  ["no command", "[profiles.a]\nmcp_control = true\n", "1:", "command is missing"],
  ["a program that env would take for a variable", '[profiles.a]\ncommand = ["A=b"]\n', "2:12", "="],
  ["a profile with a slash", '[profiles."a/b"]\ncommand = ["x"]\n', "1:11", "profile name"],
  ["a profile with a dash in front", '[profiles."-a"]\ncommand = ["x"]\n', "1:11", "profile name"],
  ["an empty profile name", '[profiles.""]\ncommand = ["x"]\n', "1:11", "profile name"],
  ["a long profile name", `[profiles.${"a".repeat(65)}]\ncommand = ["x"]\n`, "1:11", "profile name"],
  [
    "our own variable",
    '[profiles.a]\ncommand = ["x"]\nenv = { TONGS_AGENTS_LAUNCH_ID = "x" }\n',
    "3:9",
    "TONGS_AGENTS_",
  ],
  ["a bad variable name", '[profiles.a]\ncommand = ["x"]\nenv = { "A-B" = "x" }\n', "3:9", "variable name"],
  ["a pane that is no profile", '[workspace]\npanes = ["nobody"]\n', "2:10", "does not exist"],
];

it.each(bad)("T-03 T-04 C-10 %s is refused with file, line and column", async (_what, bytes, place, says) => {
  world = createWorld();
  const answer = await check(world, bytes);
  expect(answer).toMatchObject({ exit: 5, ok: false, code: "config-invalid" });
  expect(answer.error).toMatch(new RegExp(`^config\\.toml:${place}`));
  expect(answer.error).toContain(says);
  expect(answer.error).toContain(configFile(world));
});

it("C-06 a symlinked config is followed, and one that leads nowhere is not taken for a missing file", async () => {
  world = createWorld();
  await check(world, on);
  const elsewhere = join(world.root, "dotfiles.toml");
  renameSync(configFile(world), elsewhere);
  symlinkSync("../../../dotfiles.toml", configFile(world));
  const linked = await world.cli(["config", "check", "--json"]);
  expect(JSON.parse(linked.stdout)).toMatchObject({ ok: true, mcp_enabled: true });
  rmSync(elsewhere);
  const dangling = await world.cli(["config", "check", "--json"]);
  expect([dangling.code, JSON.parse(dangling.stdout)]).toMatchObject([
    5,
    { ok: false, code: "config-invalid" },
  ]);
  expect(dangling.stdout).toContain("symlink to nothing");
});

it("C-08 a directory, a FIFO, a device or 2 MiB in the config's place is refused at once, not waited for", async () => {
  world = createWorld();
  const made = world;
  const puts: readonly ((path: string) => void)[] = [
    (path) => mkdirSync(path),
    (path) => execFileSync("mkfifo", [path]),
    (path) => symlinkSync("/dev/zero", path),
    (path) => writeFileSync(path, "#".repeat(2 * 1024 * 1024)),
    (path) => symlinkSync(path, path),
  ];
  mkdirSync(dirname(configFile(made)), { recursive: true });
  for (const put of puts) {
    rmSync(configFile(made), { recursive: true, force: true });
    put(configFile(made));
    for (const verb of [
      ["config", "check"],
      ["launch", "lead"],
    ]) {
      const { code, stdout, stderr } = await made.cli([...verb, "--json"]);
      expect([code, JSON.parse(stdout)]).toMatchObject([5, { ok: false, code: "config-invalid" }]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  }
});

it("C-08 a config that this user may not read is refused, not taken for a missing file", async () => {
  world = createWorld();
  await check(world, on);
  chmodSync(configFile(world), 0o000);
  if (isRoot) execFileSync("chown", ["-R", "65534:65534", world.root]);
  const asNobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const run = (...words: string[]) =>
    runProgram([...asNobody, process.execPath, program, ...words, "--json"], {
      env: world?.env ?? {},
      input: "",
    });
  const { code, stdout } = await run("config", "check");
  expect([code, JSON.parse(stdout)]).toMatchObject([5, { ok: false, code: "config-invalid" }]);
  expect((await run("launch", "lead")).stdout).toContain("config-invalid");
});

const oddNames = [
  "two words",
  "it's",
  'say "hi"',
  "$HOME `id` $(id)",
  "世界 é",
  "a;b&c|d",
  "#{pid}",
  "-n",
  "back\\slash",
];

it.each(oddNames)("C-06 C-07 works with a home named %j and writes nowhere else", async (name) => {
  const made = createWorld(name);
  world = made;
  const before = readdirSync(made.root);
  const { client, worker } = await createStage({ world: made });
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
  await until(() => made.workerBytes().includes("\r"), 5_000, "Enter");
  expect((await made.cli(["audit", "verify"])).code).toBe(0);
  const ours = ["tmux", "lead.hands"];
  expect(readdirSync(made.root).filter((entry) => !before.includes(entry) && !ours.includes(entry))).toEqual(
    [],
  );
  const home = readdirSync(made.env["HOME"] ?? "").sort();
  expect(home).toEqual(["config", "runtime", "state", "tmp", "worker.bytes", "worker.bytes.ready"]);
});

it("C-08 every directory it makes is 0700 and every file 0600, whatever the umask", async () => {
  world = createWorld();
  const made = world;
  const umask = process.umask(0o000);
  try {
    const { client, worker } = await createStage({ world: made });
    await client.call("agents_send", { launch_id: worker, text: "hello" });
  } finally {
    process.umask(umask);
  }
  const wide = [made.stateDirectory, join(made.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents")]
    .flatMap(everythingIn)
    .filter(({ path, mode, isLink }) => !isLink && mode !== (lstatSync(path).isDirectory() ? 0o700 : 0o600));
  expect(wide).toEqual([]);
});

function everythingIn(path: string): { path: string; mode: number; isLink: boolean }[] {
  const seen = lstatSync(path);
  const own = { path, mode: seen.mode & 0o777, isLink: seen.isSymbolicLink() };
  const inner = seen.isDirectory() ? readdirSync(path).flatMap((name) => everythingIn(join(path, name))) : [];
  return [own, ...inner];
}

it("T-01 C-06 without XDG_RUNTIME_DIR, or with one that is not absolute, the run-time files are in the state directory", async () => {
  for (const value of [undefined, "", "run/user/0"]) {
    const made = createWorld();
    world = made;
    if (value === undefined) delete made.env["XDG_RUNTIME_DIR"];
    else made.env["XDG_RUNTIME_DIR"] = value;
    const { client, worker } = await createStage({ world: made });
    expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({
      ok: true,
    });
    expect(readdirSync(join(made.stateDirectory, "run"))).toContain("mcp-rate");
    await made.close();
    world = undefined;
  }
});

it("T-01 T-16 a run-time directory that is not there is made, and one that cannot be made types nothing", async () => {
  const made = createWorld();
  world = made;
  const gone = join(made.root, "gone");
  made.env["XDG_RUNTIME_DIR"] = join(gone, "after-logout");
  const { client, worker } = await createStage({ world: made });
  const send = () => client.call("agents_send", { launch_id: worker, text: "hello" });
  expect(await send()).toMatchObject({ ok: true });
  await until(() => made.workerBytes().includes("\r"), 5_000, "Enter");
  const before = made.workerBytes().length;
  rmSync(gone, { recursive: true });
  writeFileSync(gone, "in the way");
  expect(await send()).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+[.]$/) });
  expect(made.workerBytes()).toHaveLength(before);
});

it("T-01 without any XDG variable the files are below HOME; the overrides come first", async () => {
  const made = createWorld();
  world = made;
  const home = made.env["HOME"] ?? "";
  for (const name of Object.keys(made.env).filter((key) => key.startsWith("XDG_"))) delete made.env[name];
  mkdirSync(join(home, ".config", "tongs-agents"), { recursive: true });
  writeFileSync(
    join(home, ".config", "tongs-agents", "config.toml"),
    `${on}${made.workerProfile()}[workspace]\nsocket = "${made.socket}"\n`,
  );
  expect((await made.cli(["launch", "worker"])).code).toBe(0);
  expect(readdirSync(join(home, ".local", "state", "tongs-agents")).sort()).toEqual(
    expect.arrayContaining(["audit", "launches"]),
  );
  const env = {
    TONGS_AGENTS_STATE_DIR: join(made.root, "own-state"),
    TONGS_AGENTS_CONFIG: join(made.root, "own.toml"),
  };
  writeFileSync(env.TONGS_AGENTS_CONFIG, `${made.workerProfile()}[workspace]\nsocket = "${made.socket}"\n`);
  const launched = await made.cli(["launch", "worker", "--json"], { env });
  const { launch_id: id } = JSON.parse(launched.stdout) as { launch_id: string };
  const record = JSON.parse(readFileSync(join(env.TONGS_AGENTS_STATE_DIR, "launches", `${id}.json`), "utf8"));
  expect(record).toMatchObject({
    config_file: env.TONGS_AGENTS_CONFIG,
    state_dir: env.TONGS_AGENTS_STATE_DIR,
    runtime_dir: join(env.TONGS_AGENTS_STATE_DIR, "run"),
  });
});

it("T-01 an override that is no absolute path is refused in one sentence by every verb and by the server", async () => {
  world = createWorld();
  for (const name of ["TONGS_AGENTS_STATE_DIR", "TONGS_AGENTS_CONFIG"]) {
    for (const verb of ["list", "mcp"]) {
      const { code, stdout, stderr } = await world.cli([verb], { env: { [name]: "state" } });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(new RegExp(`^tongs-agents: ${name} must be an absolute path[^\n]+\n$`));
    }
  }
});

it("C-08 a state directory that is a file, or a symlink, is named in one sentence, and no pane is opened", async () => {
  const made = createWorld();
  world = made;
  made.tmux("new-session", "-d", "-s", "agents", "cat");
  made.writeConfig(`${on}${made.workerProfile()}`);
  const elsewhere = join(made.root, "elsewhere");
  mkdirSync(elsewhere);
  const puts = [
    () => writeFileSync(made.stateDirectory, "x"),
    () => symlinkSync("/nowhere", made.stateDirectory),
  ];
  for (const put of puts) {
    rmSync(made.stateDirectory, { recursive: true, force: true });
    put();
    const { code, stdout, stderr } = await made.cli(["launch", "worker", "--json"]);
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+[.]$/) });
    expect(stderr).not.toMatch(/^\s+at /m);
  }
  expect(made.tmux("list-panes", "-a").trimEnd().split("\n")).toHaveLength(1);
});

const mountable = isRoot && canMount();

function canMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const mounts: readonly (readonly [string, string])[] = [
  [
    "full",
    'mount -t tmpfs -o size=4k,mode=700 none "$0" && head -c 65536 /dev/zero > "$0/filler" 2>/dev/null; shift 0; exec "$@"',
  ],
  ["read-only", 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'],
];

it.runIf(mountable).each(mounts)(
  "C-32 on a %s state directory nothing is started or typed, in one sentence, and reading goes on",
  async (_what, mount) => {
    const { world: made, shell, worker, lead } = await setStage();
    const inMount = (...argv: string[]) => ["unshare", "-m", "sh", "-c", mount, made.stateDirectory, ...argv];
    const panes = () => made.tmux("list-panes", "-a", "-F", "#{pane_id}");
    const before = panes();
    const launched = await runProgram(inMount(process.execPath, program, "launch", "worker", "--json"), {
      env: made.env,
      input: "",
    });
    expect(launched.code).not.toBe(0);
    expect(JSON.parse(launched.stdout)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^[^\n]+[.]$/),
    });
    expect(launched.stderr).not.toMatch(/^\s+at /m);
    const listed = await runProgram(inMount(process.execPath, program, "list", "--json"), {
      env: made.env,
      input: "",
    });
    expect(listed.code).toBe(0);
    const client = await shell.connect({ argv: inMount(...mcpServer) });
    await client.initialize();
    for (const [tool, args] of [
      ["agents_spawn", { profile: "worker" }],
      ["agents_send", { launch_id: worker, text: "hello" }],
    ] as const) {
      const reply = await client.call(tool, args);
      expect(reply).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+[.]$/) });
    }
    expect(await client.call("fleet_status", {})).toMatchObject({ truncated: false });
    client.close();
    expect(panes()).toBe(before);
    expect(made.workerBytes().toString()).toBe("");
    expect(made.record(lead).state).toBe("claimed");
  },
);

it("C-08 a run-time directory that cannot be used refuses the send before it types", async () => {
  const { world: made, client, worker } = await setStage();
  const runtime = join(made.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents");
  rmSync(runtime, { recursive: true, force: true });
  writeFileSync(runtime, "in the way");
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expect(reply).toMatchObject({ ok: false, error: expect.stringContaining(runtime) });
  expect(made.workerBytes().toString()).toBe("");
  rmSync(runtime);
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
});
