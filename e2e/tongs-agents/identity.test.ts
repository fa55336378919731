import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createTestClient, type TestClient } from "../shared/test-client.ts";
import { createAgentShell, mcpServer } from "./agent-shell.ts";
import { createStage, expectRefused, type Stage, spawnWorker, untilReading } from "./stage.ts";
import {
  connectOutside,
  createWorld,
  type LaunchFile,
  program,
  runProgram,
  until,
  type World,
} from "./world.ts";

const isRoot = process.getuid?.() === 0;
let world: World | undefined;
afterEach(() => world?.close());

async function setStage(options: Parameters<typeof createStage>[0] = {}): Promise<Stage> {
  world = options.world ?? createWorld();
  return createStage({ ...options, world });
}

const recordPath = (launchId: string) => join(world?.stateDirectory ?? "", "launches", `${launchId}.json`);

/** Edits a launch record as a person with an editor would. */
function editRecord(launchId: string, changes: Readonly<Record<string, unknown>>): void {
  const record = JSON.parse(readFileSync(recordPath(launchId), "utf8")) as LaunchFile;
  writeFileSync(recordPath(launchId), JSON.stringify({ ...record, ...changes }));
}

/** The start time of a process, as a launch record has it. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

it("T-14 a launch id copied into a process of another agent's pane names nobody", async () => {
  world = createWorld();
  const other = createAgentShell(world, "stranger");
  const { lead, worker } = await setStage({ world, more: other.toml });
  await world.launch("stranger");
  const client = await other.connect({ env: { TONGS_AGENTS_LAUNCH_ID: lead } });
  await client.initialize();
  expectRefused(world, await client.call("agents_send", { launch_id: worker, text: "hello" }), {
    code: "caller-not-below",
    action: "send",
  });
  expect(world.auditLines().at(-1)).toMatchObject({ actor: `mcp:${lead}`, caller: lead, target: worker });
  expectRefused(world, await client.call("agents_spawn", { profile: "worker" }), {
    code: "caller-not-below",
    action: "spawn",
  });
});

it("T-14 a launch id copied into a process outside every pane names nobody", async () => {
  const { world, lead, worker } = await setStage();
  const client = connectOutside({ ...world.env, TONGS_AGENTS_LAUNCH_ID: lead });
  await client.initialize();
  for (const tool of ["agents_send", "agents_status", "agents_wait"]) {
    const more = tool === "agents_send" ? { text: "hello" } : {};
    expectRefused(world, await client.call(tool, { launch_id: worker, ...more }), {
      code: "caller-not-below",
      action: tool.slice("agents_".length),
    });
  }
  client.close();
});

it("T-14 T-43 a record of the same id in a state directory of the attacker's own makes nobody the caller", async () => {
  world = createWorld();
  const other = createAgentShell(world, "stranger");
  const { lead, worker } = await setStage({ world, more: other.toml });
  const otherLaunch = await world.launch("stranger");
  const forged = join(world.root, "forged");
  mkdirSync(join(forged, "launches"), { recursive: true, mode: 0o700 });
  const record = { ...world.record(lead), process: world.record(otherLaunch).process };
  writeFileSync(join(forged, "launches", `${lead}.json`), JSON.stringify(record));
  const env = { TONGS_AGENTS_LAUNCH_ID: lead, TONGS_AGENTS_STATE_DIR: forged };
  // A shell in between carries the directory, as `launchAbove` looks at ancestors.
  const client = await other.connect({ env, argv: ["/bin/sh", "-c", '"$@"; :', "sh", ...mcpServer] });
  await client.initialize();
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expect(reply).toMatchObject({ ok: false, outcome: "refused", exit_code: 5 });
  expect(world.workerBytes().toString()).toBe("");
});

it("T-14 a server in a session of its own below the agent is still the agent's", async () => {
  const { shell, worker } = await setStage();
  const argv = ["/bin/sh", "-c", 'setsid -w "$@"; :', "sh", ...mcpServer];
  const client = await shell.connect({ argv });
  await client.initialize();
  expect(await client.call("agents_status", { launch_id: worker })).not.toMatchObject({ outcome: "refused" });
  client.close();
});

it("T-14 a server whose parent ended, so that pid 1 is its parent, is refused", async () => {
  const { world, shell, worker } = await setStage();
  const pipes = createPipes(world);
  const started = await shell.run([
    "/bin/sh",
    "-c",
    `setsid "$@" ${pipes.redirect} & echo $!`,
    "sh",
    ...mcpServer,
  ]);
  const client = pipes.connect();
  await client.initialize();
  await until(() => parentOf(Number(started.stdout)) === 1, 5_000, "pid 1 adopts the server");
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expectRefused(world, reply, { code: "caller-not-below", action: "send" });
  client.close();
});

it("T-14 a server orphaned between two calls is refused from then on", async () => {
  const { world, shell, worker } = await setStage();
  const pipes = createPipes(world);
  const pidFile = join(world.root, "parent.pid");
  const script = `"$@" ${pipes.redirect} & echo $$ > "$0"; wait`;
  await shell.background(["/bin/sh", "-c", script, pidFile, ...mcpServer]);
  const client = pipes.connect();
  await client.initialize();
  expect(await client.call("agents_status", { launch_id: worker })).not.toMatchObject({ outcome: "refused" });
  process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expectRefused(world, reply, { code: "caller-not-below", action: "send" });
  client.close();
});

/** Two FIFOs, for a server that outlives the process that started it. */
function createPipes(world: World) {
  const [input, output] = [join(world.root, "to-server"), join(world.root, "from-server")];
  execFileSync("mkfifo", [input, output]);
  return {
    redirect: `<'${input}' >'${output}'`,
    connect(): TestClient {
      const writer = createWriteStream(input);
      return createTestClient({
        input: createReadStream(output),
        output: writer,
        close: () => writer.end(),
      });
    },
  };
}

it("T-14 T-11 a recycled pid names nobody: the caller's record has the pid and another start time", async () => {
  const { world, client, lead, worker } = await setStage();
  const { process } = world.record(lead);
  editRecord(lead, { process: { ...process, start: "12345" } });
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expectRefused(world, reply, { code: "caller-exited", action: "send" });
});

it.runIf(isRoot)("T-14 a server in another pid namespace is refused, and the launch goes on", async () => {
  const { world, shell, client, lead, worker } = await setStage();
  const argv = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", ...mcpServer];
  const inside = await shell.connect({ argv });
  await inside.initialize();
  for (const [tool, args] of [
    ["agents_send", { launch_id: worker, text: "hello" }],
    ["agents_spawn", { profile: "worker" }],
  ] as const) {
    const reply = await inside.call(tool, args);
    expect(reply).toMatchObject({ ok: false, outcome: "refused", exit_code: 5 });
  }
  expect(world.workerBytes().toString()).toBe("");
  expect(world.record(lead).state).toBe("claimed");
  expect(await client.call("agents_status", { launch_id: worker })).not.toMatchObject({
    ok: false,
    outcome: "refused",
  });
  inside.close();
});

it.runIf(isRoot)(
  "T-13 T-14 a server that sees the processes of another pid namespace cannot look, so it acts for nobody",
  async () => {
    const { world, shell, worker } = await setStage();
    const inside = await shell.connect({
      argv: ["unshare", "--pid", "--fork", "--kill-child", ...mcpServer],
    });
    await inside.initialize();
    expect(await inside.toolNames()).toHaveLength(9);
    const reply = await inside.call("agents_send", { launch_id: worker, text: "hello" });
    expect(reply).toMatchObject({ ok: false, outcome: "error", exit_code: 7, audit: "failed" });
    expect(world.workerBytes().toString()).toBe("");
    inside.close();
  },
);

it("T-14 T-15 several servers of one agent are all that agent", async () => {
  const { shell, client, worker } = await setStage();
  const second = await shell.connect();
  await second.initialize();
  const sent = await second.call("agents_send", { launch_id: worker, text: "from the second" });
  expect(sent).toMatchObject({ ok: true });
  expect(await client.call("agents_send", { launch_id: worker, text: "from the first" })).toMatchObject({
    ok: true,
  });
  second.close();
});

it("T-11 a tmux server that was killed and started again gives the same pane ids to others: refused", async () => {
  world = createWorld();
  const survivor = createAgentShell(world, "survivor");
  const { lead } = await setStage({ world, more: survivor.toml });
  const target = await world.launch("survivor");
  const { pane_id: paneId } = world.record(target);
  world.tmux("kill-server");
  await untilNoServer(world);
  const bystander = await fillPanes(world, String(paneId));
  for (const id of [target, lead]) {
    const ran = await world.cli(["send", id, "hello", "--json"]);
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([5, { ok: false, outcome: "refused" }]);
    expect(ran.stdout).toContain("is not the one that launch");
  }
  expect(world.workerBytes(bystander).toString()).toBe("");
  const asLead = createAgentShell(world, "lead");
  const caller = await asLead.connect();
  await caller.initialize();
  expect(await caller.call("agents_send", { launch_id: target, text: "hello" })).toMatchObject({
    outcome: "refused",
    exit_code: 5,
    code: "other-server",
  });
  expect(world.workerBytes(bystander).toString()).toBe("");
});

it("T-13 without a tmux server the caller cannot be looked at: an error, not a refusal or an end", async () => {
  const { world, worker } = await setStage();
  const shell = createAgentShell(world, "lead");
  world.tmux("kill-server");
  await untilNoServer(world);
  const caller = await shell.connect();
  await caller.initialize();
  expect(await caller.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({
    ok: false,
    outcome: "error",
    exit_code: 7,
  });
});

async function untilNoServer(world: World): Promise<void> {
  await until(
    () => {
      try {
        execFileSync("tmux", ["-S", world.socket, "list-sessions"], { env: world.env, stdio: "ignore" });
        return false;
      } catch {
        return true;
      }
    },
    10_000,
    "the tmux server ends",
  );
}

/** Starts a server again and opens panes until the pane id exists; every pane records what it reads. */
async function fillPanes(world: World, paneId: string): Promise<string> {
  const reader = (name: string) => [process.execPath, world.script("worker.mjs"), world.workerFile(name)];
  world.tmux("new-session", "-d", "-s", "agents", ...reader("%0"));
  for (let number = 1; number <= Number(paneId.slice(1)); number += 1) {
    world.tmux("new-window", "-d", ...reader(`%${number}`));
  }
  await untilReading(world, paneId);
  return paneId;
}

interface Edit {
  readonly what: string;
  readonly edit: (parts: { readonly world: World; readonly worker: string; readonly other: string }) => void;
  /** `refused` when left out. */
  readonly ends?: readonly [outcome: string, exitCode: number];
}

const edits: readonly Edit[] = [
  {
    what: "its state says exited",
    edit: ({ worker }) => editRecord(worker, { state: "exited" }),
    ends: ["exited", 4],
  },
  { what: "its state says replaced", edit: ({ worker }) => editRecord(worker, { state: "replaced" }) },
  { what: "its state says pending", edit: ({ worker }) => editRecord(worker, { state: "pending" }) },
  { what: "its state is no word of ours", edit: ({ worker }) => editRecord(worker, { state: "CLAIMED" }) },
  {
    what: "its pane is another agent's",
    edit: ({ world, worker, other }) => editRecord(worker, { pane_id: world.record(other).pane_id }),
  },
  { what: "it has no pane", edit: ({ worker }) => editRecord(worker, { pane_id: null }) },
  {
    what: "its pane is a tmux command",
    edit: ({ worker }) => editRecord(worker, { pane_id: "%0' ; kill-server ; '" }),
  },
  { what: "its pane is a tmux target", edit: ({ worker }) => editRecord(worker, { pane_id: "{last}" }) },
  {
    what: "its session is another",
    edit: ({ worker }) => editRecord(worker, { session: { id: "$99", name: "agents" } }),
  },
  {
    what: "its session is a tmux command",
    edit: ({ worker }) => editRecord(worker, { session: { id: "$0' ; kill-server ; '", name: "agents" } }),
  },
  {
    what: "its process is another live one",
    edit: ({ worker }) =>
      editRecord(worker, { process: { ...world?.record(worker).process, ...thisProcess() } }),
  },
  {
    what: "its process is another agent's",
    edit: ({ world, worker, other }) => editRecord(worker, { process: world.record(other).process }),
  },
  {
    what: "its process ran in another boot",
    edit: ({ world, worker }) =>
      editRecord(worker, {
        process: { ...world.record(worker).process, boot_id: "00000000-0000-4000-8000-000000000000" },
      }),
    ends: ["exited", 4],
  },
  {
    what: "its process is pid 1",
    edit: ({ worker }) => editRecord(worker, { process: { pid: 1, start: "1", boot_id: "x" } }),
  },
  { what: "it has no process", edit: ({ worker }) => editRecord(worker, { process: null }) },
  {
    what: "its server is another process",
    edit: ({ worker }) => editRecord(worker, { server: thisProcess() }),
  },
  {
    what: "its server started at another time",
    edit: ({ world, worker }) =>
      editRecord(worker, { server: { ...world.record(worker).server, start: "1" } }),
  },
  { what: "its id is another", edit: ({ worker, other }) => editRecord(worker, { id: other }) },
  { what: "its schema is newer", edit: ({ worker }) => editRecord(worker, { schema: 2 }) },
  { what: "its argv is a string", edit: ({ worker }) => editRecord(worker, { argv: "worker" }) },
  { what: "its multiplexer is unknown", edit: ({ worker }) => editRecord(worker, { multiplexer: "screen" }) },
  {
    what: "its multiplexer is the other one",
    edit: ({ worker }) => editRecord(worker, { multiplexer: "zellij" }),
    ends: ["unsupported", 6],
  },
  { what: "its socket is relative", edit: ({ worker }) => editRecord(worker, { socket: "tmux" }) },
  { what: "its socket is a file", edit: ({ worker }) => editRecord(worker, { socket: "/etc/passwd" }) },
  {
    what: "its socket is not there",
    edit: ({ worker }) => editRecord(worker, { socket: "/nowhere/tmux" }),
    ends: ["error", 7],
  },
  {
    what: "its socket path is endless",
    edit: ({ worker }) => editRecord(worker, { socket: `/${"x/".repeat(3_000)}tmux` }),
    ends: ["error", 7],
  },
  { what: "it is half written", edit: ({ worker }) => truncateSync(recordPath(worker), 200) },
  { what: "it is empty", edit: ({ worker }) => truncateSync(recordPath(worker), 0) },
  { what: "it is a list", edit: ({ worker }) => writeFileSync(recordPath(worker), "[]") },
  {
    what: "it is no UTF-8",
    edit: ({ worker }) => writeFileSync(recordPath(worker), Buffer.from([0xff, 0xfe, 0x7b])),
  },
  {
    what: "it is nested 100 000 deep",
    edit: ({ worker }) => writeFileSync(recordPath(worker), "[".repeat(100_000) + "]".repeat(100_000)),
  },
  { what: "it is 1 GB of holes", edit: ({ worker }) => truncateSync(recordPath(worker), 1024 ** 3) },
  {
    what: "a FIFO is in its place",
    edit: ({ worker }) => {
      rmSync(recordPath(worker));
      execFileSync("mkfifo", [recordPath(worker)]);
    },
  },
  {
    what: "a directory is in its place",
    edit: ({ worker }) => {
      rmSync(recordPath(worker));
      mkdirSync(recordPath(worker));
    },
  },
  {
    what: "a symlink to a good record is in its place",
    edit: ({ world, worker }) => {
      const elsewhere = join(world.root, "elsewhere.json");
      writeFileSync(elsewhere, readFileSync(recordPath(worker)));
      rmSync(recordPath(worker));
      symlinkSync(elsewhere, recordPath(worker));
    },
  },
];

function thisProcess() {
  return { pid: process.pid, start: startOf(process.pid) };
}

it("T-11 C-08 a record edited by hand drives no pane, whatever the edit, and hides no other agent", async () => {
  world = createWorld();
  const { client, lead, worker } = await setStage({
    world,
    more: world.workerProfile("other"),
    control: "mcp_rate_per_minute = 60",
  });
  const other = await spawnWorker(world, client, "other");
  const whole = readFileSync(recordPath(worker));
  for (const { what, edit, ends: [outcome, exitCode] = ["refused", 5] } of edits) {
    edit({ world, worker, other });
    const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
    expect({ what, ...reply }).toMatchObject({ what, ok: false, outcome, exit_code: exitCode });
    expect({ what, error: reply["error"] }).toEqual({ what, error: expect.stringMatching(/^[^\n]+[.!?]$/) });
    expect({ what, ...world.auditLines().at(-1) }).toMatchObject({
      what,
      action: "send",
      exit_code: exitCode,
    });
    const cli = await world.cli(["send", worker, "hello", "--json"]);
    expect({ what, code: cli.code }).toEqual({ what, code: exitCode });
    const listed = await world.cli(["list", "--json"]);
    const others = [listed.stdout.includes(lead), listed.stdout.includes(other)];
    expect({ what, code: listed.code, others }).toEqual({ what, code: 0, others: [true, true] });
    const read = [world.workerBytes(), world.workerBytes("other")].map(String);
    expect({ what, read }).toEqual({ what, read: ["", ""] });
    rmSync(recordPath(worker), { recursive: true });
    writeFileSync(recordPath(worker), whole);
  }
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
  expect(world.tmux("list-sessions")).toContain("agents");
}, 180_000);

it("T-12 a socket in a directory that others can write is not used, and a sticky one is", async () => {
  const { world, client, worker } = await setStage();
  chmodSync(world.root, 0o777);
  expectRefused(world, await client.call("agents_send", { launch_id: worker, text: "hello" }), {
    code: "open-socket-directory",
    action: "send",
  });
  chmodSync(world.root, 0o1777);
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
  chmodSync(world.root, 0o700);
});

it.runIf(isRoot)("T-12 a socket of another user, or in another user's directory, is not used", async () => {
  const { world, client, worker } = await setStage();
  chownSync(world.socket, 65534, 65534);
  expectRefused(world, await client.call("agents_send", { launch_id: worker, text: "hello" }), {
    code: "foreign-socket",
    action: "send",
  });
  chownSync(world.socket, 0, 0);
  chownSync(world.root, 65534, 65534);
  expectRefused(world, await client.call("agents_send", { launch_id: worker, text: "hello" }), {
    code: "open-socket-directory",
    action: "send",
  });
  chownSync(world.root, 0, 0);
});

it("T-11 a session that was renamed is the same session", async () => {
  const { world, client, worker } = await setStage();
  world.tmux("rename-session", "-t", "agents", "%0 #{pid} {last}");
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
  await until(() => world.workerBytes().includes("\r"), 5_000, "the prompt");
});

it("T-11 a pane may move between the windows of its session, and is refused in another session", async () => {
  const { world, client, worker } = await setStage();
  const pane = String(world.record(worker).pane_id);
  const send = () => client.call("agents_send", { launch_id: worker, text: "x" });
  world.tmux("join-pane", "-d", "-s", pane, "-t", "agents:0");
  expect(await send()).toMatchObject({ ok: true });
  world.tmux("break-pane", "-d", "-s", pane);
  expect(await send()).toMatchObject({ ok: true });
  const before = world.workerBytes().length;
  world.tmux("new-session", "-d", "-s", "elsewhere");
  world.tmux("join-pane", "-d", "-s", pane, "-t", "elsewhere:");
  expect(await send()).toMatchObject({ outcome: "refused", exit_code: 5, code: "pane-not-listed" });
  expect(world.workerBytes()).toHaveLength(before);
  world.tmux("link-window", "-s", "elsewhere:0", "-t", "agents:");
  expect(await send()).toMatchObject({ ok: true });
});

it("T-11 a caller whose pane moved to another session is refused until it is back", async () => {
  const { world, client, lead, worker } = await setStage();
  const pane = String(world.record(lead).pane_id);
  world.tmux("new-session", "-d", "-s", "elsewhere");
  world.tmux("join-pane", "-d", "-s", pane, "-t", "elsewhere:");
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expectRefused(world, reply, { code: "pane-not-listed", action: "send" });
  world.tmux("join-pane", "-d", "-s", pane, "-t", "agents:");
  expect(await client.call("agents_send", { launch_id: worker, text: "hello" })).toMatchObject({ ok: true });
});

it("T-15 the caller is not its own target: not by launch id, nor by its pane under whatever session or socket name", async () => {
  const { world, client, lead, worker } = await setStage({ control: "mcp_any_target = true" });
  world.tmux("new-session", "-d", "-t", "agents", "-s", "grouped");
  const grouped = world.tmux("display-message", "-p", "-t", "grouped:", "#{session_id}").trim();
  const link = join(world.root, "tmux-link");
  symlinkSync(world.socket, link);
  const { pane_id, process, server } = world.record(lead);
  const self = { pane_id, process, server };
  const whole = readFileSync(recordPath(worker));
  for (const tool of ["agents_send", "agents_status", "agents_wait"]) {
    const more = tool === "agents_send" ? { text: "hello" } : {};
    const action = tool.slice("agents_".length);
    const call = (launch_id: string) => client.call(tool, { launch_id, ...more });
    expectRefused(world, await call(lead), { code: "target-is-caller", action });
    editRecord(worker, self);
    expectRefused(world, await call(worker), { code: "target-in-callers-pane", action });
    editRecord(worker, { ...self, session: { id: grouped, name: "grouped" } });
    expectRefused(world, await call(worker), { code: "target-in-callers-pane", action });
    editRecord(worker, { ...self, socket: link });
    expectRefused(world, await call(worker), { code: "target-in-callers-pane", action });
    writeFileSync(recordPath(worker), whole);
  }
});

it("T-08 T-15 a launch that another one replaced in its pane is no target and no caller", async () => {
  const { world, client, lead, worker } = await setStage();
  const pane = String(world.record(worker).pane_id);
  const second = await world.launch("worker");
  const claim = [process.execPath, program, "pane", second, world.stateDirectory];
  expect(world.record(second).state).toBe("claimed");
  // A claim from elsewhere changes nothing: neither the claimed launch nor a pending one.
  editRecord(second, { state: "pending", process: null, server: null, claimed_at: null });
  const before = readFileSync(recordPath(second), "utf8");
  const ran = await runProgram(claim, { env: world.env, input: "" });
  expect([ran.code, ran.stdout]).toEqual([5, ""]);
  expect(readFileSync(recordPath(second), "utf8")).toBe(before);
  editRecord(worker, { state: "replaced", replaced_by: second });
  const reply = await client.call("agents_send", { launch_id: worker, text: "hello" });
  expect(reply).toMatchObject({ outcome: "refused", exit_code: 5, code: "launch-replaced" });
  expect(reply["error"]).toContain(second);
  editRecord(lead, { state: "replaced", replaced_by: second });
  expect(await client.call("agents_spawn", { profile: "worker" })).toMatchObject({
    outcome: "refused",
    code: "launch-replaced",
  });
  expect(pane).toMatch(/^%/);
});

const hostileIds = [
  "",
  "../../../../etc/passwd",
  "/etc/passwd",
  "%2e%2e%2fetc%2fpasswd",
  "%2e",
  ".",
  "-t",
  "a".repeat(300),
  "a".repeat(2_000_000),
  "\0",
  "aaaaaaaaaaaaaaaaaaaaaaaaa\0",
  "AAAAAAAAAAAAAAAAAAAAAAAAAA",
  "ａａａａａａａａａａａａａａａａａａａａａａａａａａ",
  "agent\u202e\u200b\u001b]0;x\u0007",
  "\ud800",
  "#{pid}",
  "*",
  "__proto__",
];

it("T-15 C-25 a launch id is never a path, a pattern or a terminal's command; its audit line stays small", async () => {
  const { world, client, worker } = await setStage();
  writeFileSync(join(world.stateDirectory, "outside.json"), readFileSync(recordPath(worker)));
  for (const launch_id of [
    ...hostileIds,
    "../outside",
    `../launches/${worker}`,
    `${worker}.json`,
    ` ${worker}`,
  ]) {
    const reply = await client.call("agents_send", { launch_id, text: "hello" });
    expectRefused(world, reply, { code: "launch-unknown", action: "send" });
    expect(String(reply["error"]).length).toBeLessThan(600);
    expect(String(reply["error"])).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
    expect(JSON.stringify(world.auditLines().at(-1)).length).toBeLessThan(4_096);
    const status = await client.call("agents_status", { launch_id });
    expectRefused(world, status, { code: "launch-unknown", action: "status" });
  }
}, 120_000);
