import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createStage } from "./stage.ts";
import { createWorld, until, type World } from "./world.ts";

let world: World | undefined;
afterEach(() => world?.close());

const text = "héllo 世界 👩‍👩‍👧 ; #{pid} $(id) `id` \\";

/** A worker is spawned, prompted and looked at through MCP, and reads exactly the prompt. */
async function requireMainJob(prepare: (world: World) => Parameters<typeof createStage>[0]): Promise<World> {
  const made = createWorld();
  world = made;
  const { client, worker } = await createStage({ ...prepare(made), world: made });
  const sent = await client.call("agents_send", { launch_id: worker, text });
  expect(sent).toMatchObject({ ok: true, delivery: { landed: true } });
  await until(() => made.workerBytes().includes("\r"), 5_000, "Enter");
  expect(made.workerBytes().toString()).toBe(`\u001b[200~${text}\u001b[201~\r`);
  const status = await client.call("agents_status", { launch_id: worker });
  expect(status).toMatchObject({ outcome: "unsupported", error: expect.stringMatching(/[.]$/) });
  client.close();
  return made;
}

function writeHome(world: World, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(world.env["HOME"] ?? "", name), content, { mode: 0o755 });
  }
}

const slowShell = "echo slow; sleep 2\n";

const oddConfigurations: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    "windows and panes counted from 1",
    { ".tmux.conf": "set -g base-index 1\nset -g pane-base-index 1\nset -g renumber-windows on" },
  ],
  [
    "another prefix, vi keys, the mouse",
    {
      ".tmux.conf":
        "set -g prefix C-a\nunbind C-b\nset -g mouse on\nset -g mode-keys vi\nset -g status-keys vi",
    },
  ],
  ["a default command that is no shell", { ".tmux.conf": 'set -g default-command "exec cat"' }],
  ["a default command that fails", { ".tmux.conf": 'set -g default-command "/nowhere/program"' }],
  [
    "a shell whose start-up files take two seconds",
    {
      ".tmux.conf": "set -g default-shell /bin/bash",
      ".bashrc": slowShell,
      ".bash_profile": slowShell,
      ".profile": slowShell,
    },
  ],
  ["a shell that does not exist", { ".tmux.conf": "set -g default-shell /nowhere/shell" }],
  ["panes that stay when they end", { ".tmux.conf": "set -g remain-on-exit on" }],
  ["panes that stay when they fail", { ".tmux.conf": "set -g remain-on-exit failed" }],
  [
    "titles and names that run commands",
    {
      ".tmux.conf":
        'set -g set-titles on\nset -g allow-rename on\nset -g automatic-rename-format "#(echo x)#{pane_current_command}"\nset -g status-left "#(echo left)"',
    },
  ],
  [
    "hooks that open and rename windows",
    {
      ".tmux.conf":
        'set-hook -g after-new-window "rename-window hooked"\nset-hook -g after-new-session "new-window -d"',
    },
  ],
  [
    "no history, no status line, a slow Escape",
    {
      ".tmux.conf":
        "set -g history-limit 0\nset -g status off\nset -s escape-time 5000\nset -g assume-paste-time 0",
    },
  ],
  ["an old terminal type", { ".tmux.conf": 'set -g default-terminal "vt100"\nset -g focus-events on' }],
  ["a broken line in its file", { ".tmux.conf": "set -g no-such-option on\nbind" }],
  [
    "stale variables in its environment",
    {
      ".tmux.conf":
        "setenv -g TONGS_AGENTS_LAUNCH_ID aaaaaaaaaaaaaaaaaaaaaaaaaa\nsetenv -g TONGS_AGENTS_STATE_DIR /nowhere\nsetenv -g POSIXLY_CORRECT 1\nsetenv -g ENV /nowhere",
    },
  ],
];

it.each(oddConfigurations)("T-09 T-17 T-18 works in a tmux with %s", async (_what, files) => {
  await requireMainJob((made) => {
    writeHome(made, files);
    return {};
  });
});

it.each([
  "my.work:1",
  "two words",
  "仕事 ✓",
  "=agents",
  "-t agents",
  "$0",
  "@1",
  "%0",
  "{last}",
  "a#{pid}#(touch /tmp/never)b",
  "ag*",
  "quote'\"\\",
  "~",
])("T-10 T-11 works in a session named %j, and a second launch joins it", async (name) => {
  const made = await requireMainJob((each) => ({
    more: `\n[workspace]\nsession = ${JSON.stringify(name)}\nsocket = "${each.socket}"\n`,
  }));
  await made.launch("worker");
  expect(made.tmux("list-sessions").trimEnd().split("\n")).toHaveLength(1);
});

it("T-19 a server that sends every key to all panes of a window: refused, nothing typed", async () => {
  const made = createWorld();
  world = made;
  writeHome(made, { ".tmux.conf": "set -g synchronize-panes on" });
  const { client, worker } = await createStage({ world: made });
  const sent = await client.call("agents_send", { launch_id: worker, text });
  expect(sent).toMatchObject({ ok: false, error: expect.stringMatching(/[.]$/) });
  expect(made.workerBytes().toString()).toBe("");
});

it.each(["destroy-unattached", "exit-unattached"])(
  "T-27 a tmux with %s, which closes sessions that nobody looks at, ends a launch with one sentence",
  async (option) => {
    const made = createWorld();
    world = made;
    writeHome(made, { ".tmux.conf": `set -g ${option} on` });
    made.writeConfig(made.workerProfile());
    const { code, stdout } = await made.cli(["launch", "worker", "--json"]);
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringMatching(/^[^\n]+[.]$/) });
  },
);

it("C-26 TMUX of another server and no LANG change nothing", async () => {
  const made = createWorld();
  world = made;
  for (const name of ["LANG", "LC_ALL", "SHELL", "TERM"]) delete made.env[name];
  made.env["TMUX"] = "/nowhere/tmux,1,0";
  made.env["TMUX_PANE"] = "%99";
  const { client, worker } = await createStage({ world: made });
  await client.call("agents_send", { launch_id: worker, text });
  await until(() => made.workerBytes().includes("\r"), 5_000, "Enter");
  expect(made.workerBytes().toString()).toBe(`\u001b[200~${text}\u001b[201~\r`);
});

it("C-06 a socket path that is too long is refused with its length and the limit", async () => {
  const made = createWorld();
  world = made;
  const directory = join(made.root, "d".repeat(120));
  mkdirSync(directory, { mode: 0o700 });
  const tries = [
    [`[workspace]\nsocket = "${join(directory, "tmux")}"\n`, {}],
    ['[workspace]\nsocket = "named"\n', { TMUX_TMPDIR: directory }],
    ['[workspace]\nsocket = ""\n', { TMUX_TMPDIR: directory }],
  ] as const;
  for (const [toml, env] of tries) {
    made.writeConfig(`${made.workerProfile()}${toml}`);
    const { code, stdout } = await made.cli(["launch", "worker", "--json"], { env });
    const { error } = JSON.parse(stdout) as { error: string };
    expect([code, error]).toEqual([2, expect.stringMatching(/is 1\d\d bytes long, and 107 is the most/)]);
  }
});

it("T-01 a socket name and TMUX_TMPDIR lead where tmux itself goes", async () => {
  const made = createWorld();
  world = made;
  made.writeConfig(`${made.workerProfile()}[workspace]\nsocket = "named"\n`);
  const env = { TMUX_TMPDIR: made.root };
  const { code, stdout } = await made.cli(["launch", "worker", "--json"], { env });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }]);
  const socket = join(made.root, `tmux-${process.getuid?.()}`, "named");
  expect(existsSync(socket)).toBe(true);
  await made.cli(["send", (JSON.parse(stdout) as { launch_id: string }).launch_id, "x"], { env: {} });
  expect(made.workerBytes().toString()).toContain("x");
  made.tmux("-S", socket, "kill-server");
});

const hostileArguments = [
  "",
  "-n",
  "--",
  "two words",
  "it's",
  '"',
  "a\nb\n",
  "$(id)`id`$HOME",
  "x;",
  ";",
  "\\;",
  "\\",
  "*?[a]~!",
  "#{pid}#(touch never)",
  "👩‍👩‍👧 世界\u00a0",
  "\u001b[31m\u0007\t",
  "A=b",
  "l".repeat(5_000),
  "",
];

it("T-09 T-10 argv, environment and directory of a profile reach its program byte for byte", async () => {
  const made = createWorld();
  world = made;
  const out = join(made.root, "printed.json");
  const directory = join(made.root, "-d #(touch never) 'q\" $(id)\n世界");
  mkdirSync(directory);
  const env = { EMPTY: "", QUOTES: `'"\\\``, LINES: "a\nb", PATHLIKE: "$PATH", _x1: "世界;" };
  const command = [process.execPath, made.script("prints-itself.mjs"), out, ...hostileArguments];
  made.tmux("new-session", "-d", "-s", "agents", "-e", "CLAUDECODE=1", "cat");
  for (const name of ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "TONGS_AGENTS_STALE", "KEPT"]) {
    made.tmux("set-environment", "-g", name, "from the server");
  }
  const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  made.writeConfig(
    `[profiles.odd]\ncommand = ${JSON.stringify(command)}\ncwd = ${JSON.stringify(directory)}\nenv = { ${table.join(", ")} }\n`,
  );
  const id = await made.launch("odd");
  await until(() => existsSync(out), 5_000, "the program");
  const seen = JSON.parse(readFileSync(out, "utf8")) as Printed;
  expect(seen.argv).toEqual(hostileArguments);
  expect(seen.cwd).toBe(directory);
  expect(seen.env).toMatchObject({ ...env, KEPT: "from the server", TONGS_AGENTS_LAUNCH_ID: id });
  const gone = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "TONGS_AGENTS_STALE", "TONGS_AGENTS_LINE"];
  expect(gone.filter((name) => name in seen.env)).toEqual([]);
  expect(made.record(id).process?.pid).toBe(seen.pid);
});

interface Printed {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pid: number;
}

it("T-09 a program of one word is started as that word, not as a shell's line", async () => {
  const made = createWorld();
  world = made;
  const program = join(made.root, "one $(id) word;");
  writeFileSync(program, '#!/bin/sh\nprintf %s "$0" > "$HOME/started"\nexec sleep 600\n', { mode: 0o755 });
  made.writeConfig(`[profiles.one]\ncommand = [${JSON.stringify(program)}]\n`);
  await made.launch("one");
  expect(readFileSync(join(made.env["HOME"] ?? "", "started"), "utf8")).toBe(program);
});

it("T-09 a directory that does not exist is refused, with no pane and no record left", async () => {
  const made = createWorld();
  world = made;
  made.tmux("new-session", "-d", "-s", "agents", "cat");
  for (const cwd of ["/nowhere", "~/nowhere", "nowhere", "/etc/passwd"]) {
    made.writeConfig(made.workerProfile("worker", `cwd = "${cwd}"`));
    const { code, stdout } = await made.cli(["launch", "worker", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([5, { ok: false, code: "directory-missing" }]);
  }
  expect(made.tmux("list-panes", "-a").trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse((await made.cli(["list", "--all", "--json"])).stdout)).toEqual({ launches: [] });
});
