import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createAgentShell } from "./agent-shell.ts";
import { onTerminal } from "./person-terminal.ts";
import { createWorld, program, type Ran, runProgram, until, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

interface Started {
  readonly session: string;
  readonly created: boolean;
  readonly panes: readonly { readonly profile: string; readonly launch_id: string; readonly state: string }[];
}

/** A world whose `panes` are these workers. */
function workspaceWorld(panes: readonly string[], name = "world"): void {
  world = createWorld(name);
  const profiles = [...new Set(panes)].map((pane) => world.workerProfile(pane)).join("");
  world.writeConfig(`${profiles}${workspaceTable(panes)}`);
}

function workspaceTable(panes: readonly string[]): string {
  return `[workspace]\nsocket = ${JSON.stringify(world.socket)}\npanes = ${JSON.stringify(panes)}\n`;
}

async function startDetached(): Promise<Started> {
  const ran = await world.cli(["workspace", "--detach", "--json"]);
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout) as Started;
}

const windows = () => world.tmux("list-panes", "-s", "-t", "agents:", "-F", "#{pane_id} #{window_name}");
const watchers = () => world.tmux("list-clients", "-F", "#{client_session}").trim();

it("T-27 makes the session with a home pane, starts every profile once, and adds nothing when it runs again", async () => {
  workspaceWorld(["one", "two", "one"]);
  const first = await startDetached();
  expect(first).toMatchObject({ session: "agents", created: true });
  expect(first.panes.map(({ profile, state }) => [profile, state])).toEqual([
    ["one", "started"],
    ["two", "started"],
  ]);
  const before = windows();
  expect(before.trim().split("\n")).toHaveLength(3);
  for (const { launch_id } of first.panes) expect(world.record(launch_id)["spawned_by"]).toBeNull();
  const again = await startDetached();
  expect(again).toEqual({
    ...first,
    created: false,
    panes: first.panes.map((pane) => ({ ...pane, state: "running" })),
  });
  expect(windows()).toBe(before);
  const lines = world
    .auditLines()
    .map(({ actor, action, outcome, caller }) => [actor, action, outcome, caller]);
  expect(lines).toEqual([
    ["cli:root", "spawn", "ok", null],
    ["cli:root", "spawn", "ok", null],
    ["cli:root", "workspace", "ok", null],
    ["cli:root", "workspace", "ok", null],
  ]);
});

it("T-27 starts again only what has ended, and counts a person's own launch but not an agent's", async () => {
  workspaceWorld(["one", "two"]);
  const own = await world.launch("two");
  const { panes } = await startDetached();
  expect(panes).toMatchObject([{ state: "started" }, { launch_id: own, state: "running" }]);
  process.kill(world.record(own).process?.pid ?? 0, "SIGKILL");
  await until(() => windows().trim().split("\n").length === 2, 5_000, "the pane to close");
  expect((await startDetached()).panes).toMatchObject([{ state: "running" }, { state: "started" }]);
});

it("T-27 starts its profiles although an agent has the same ones running", async () => {
  world = createWorld();
  const shell = createAgentShell(world, "lead");
  const table = workspaceTable(["lead", "worker"]);
  world.writeConfig(`[control]\nmcp_enabled = true\n${shell.toml}${world.workerProfile()}${table}`);
  await world.launch("lead");
  const client = await shell.connect();
  await client.initialize();
  const { launch_id: agents } = await client.call("agents_spawn", { profile: "worker" });
  const { panes } = await startDetached();
  expect(panes).toMatchObject([{ state: "running" }, { state: "started" }]);
  expect(panes[1]?.launch_id).not.toBe(agents);
  client.close();
});

it("T-27 two at once make one session and start each profile once", async () => {
  workspaceWorld(["one", "two"]);
  const both = await Promise.all([startDetached(), startDetached(), startDetached()]);
  const ids = both.map(({ panes }) => panes.map(({ launch_id }) => launch_id).join());
  expect(new Set(ids).size).toBe(1);
  expect(both.filter(({ created }) => created)).toHaveLength(1);
  expect(windows().trim().split("\n")).toHaveLength(3);
  expect(world.tmux("list-sessions").trim().split("\n")).toHaveLength(1);
});

it("T-27 shows the session on the person's terminal until they leave it, and again", async () => {
  workspaceWorld(["one"]);
  for (const state of ["was made", "was there"]) {
    const terminal = onTerminal(world, ["workspace"]);
    await until(
      () => windowsOrNone() !== "" && watchers() === "agents",
      15_000,
      "the terminal to be attached",
    );
    world.tmux("detach-client", "-s", "agents");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.output()).toContain(`Session agents ${state}`);
  }
  expect(windows().trim().split("\n")).toHaveLength(2);
});

it("T-27 a terminal that cannot show it is told so and the workspace goes on", async () => {
  workspaceWorld(["one"]);
  const terminal = onTerminal(world, ["workspace", "--attach"], { env: { TERM: "no-such-terminal" } });
  expect(await terminal.exitCode).toBe(1);
  expect(terminal.output()).toContain("Session agents could not be shown on this terminal");
  expect(windows().trim().split("\n")).toHaveLength(2);
});

it("T-27 moves a terminal that is inside the session's server, and attaches no second one in it", async () => {
  workspaceWorld(["one"]);
  world.tmux("new-session", "-d", "-s", "other", "-x", "100", "-y", "30");
  const terminal = onTerminal(world, ["-S", world.socket, "attach-session", "-t", "other"], {
    argv: ["tmux"],
  });
  await until(() => watchers() === "other", 10_000, "the terminal to be attached");
  terminal.type(`${process.execPath} ${program} workspace\r`);
  await until(() => watchers() === "agents", 15_000, "the terminal to move");
  world.tmux("kill-server");
  await terminal.exitCode;
});

it("T-27 inside another tmux it starts the workspace and says why it is not shown; --attach is refused", async () => {
  workspaceWorld(["one"]);
  const other = join(world.root, "other tmux");
  mkdirSync(other);
  const env = { TMUX: `${other},1,0`, TMUX_PANE: "%0" };
  const first = onTerminal(world, ["workspace"], { env });
  expect(await first.exitCode).toBe(0);
  expect(first.output()).toContain("This terminal is a pane of another tmux server");
  const second = onTerminal(world, ["workspace", "--attach"], { env });
  expect(await second.exitCode).toBe(5);
  expect(windows().trim().split("\n")).toHaveLength(2);
});

it("T-27 C-01 without a terminal it does not attach; --attach and contradictions are usage errors that start nothing", async () => {
  workspaceWorld(["one"]);
  expect(await world.cli(["workspace", "--attach"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("--attach needs a terminal"),
  });
  expect(await world.cli(["workspace", "--attach", "--detach"])).toMatchObject({ code: 2 });
  expect(windowsOrNone()).toBe("");
  expect(await world.cli(["workspace"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Session agents was made\n[a-z2-7]{26} started: one\n$/),
  });
});

it("T-27 says clearly that the default profile lead is missing, and starts nothing", async () => {
  world = createWorld();
  world.writeConfig(world.workerProfile());
  const ran = await world.cli(["workspace", "--json"]);
  expect(ran).toMatchObject({ code: 5 });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    code: "profile-unknown",
    error: expect.stringMatching(
      /profile lead .* has no such profile\. Add \[profiles\.lead\] .*, or set panes\.$/,
    ),
  });
  expect(windowsOrNone()).toBe("");
});

it("T-27 with no panes at all it is the session and its home pane", async () => {
  workspaceWorld([]);
  expect(await startDetached()).toMatchObject({ created: true, panes: [] });
  expect(windows().trim().split("\n")).toHaveLength(1);
});

it("T-27 one profile that cannot start keeps no other from starting, and the failure is the answer", async () => {
  world = createWorld();
  const dies = '[profiles.dies]\ncommand = ["sh", "-c", "echo no model; exit 3"]\n';
  const lost = '[profiles.lost]\ncommand = ["cat"]\ncwd = "/no/such/directory"\n';
  const profiles = dies + lost + world.workerProfile("one");
  world.writeConfig(profiles + workspaceTable(["dies", "lost", "one"]));
  const ran = await world.cli(["workspace", "--detach"]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(/The directory .* does not exist/);
  expect(ran.stderr).toMatch(/Profile dies ended with status 3/);
  expect(windows()).toContain("one");
  expect(windows().trim().split("\n")).toHaveLength(2);
});

it("T-44 below a launch it is refused, audited with that launch as its caller, and points at agents_spawn", async () => {
  world = createWorld();
  const shell = createAgentShell(world, "lead");
  world.writeConfig(`${shell.toml}${world.workerProfile()}${workspaceTable(["lead", "worker"])}`);
  const lead = await world.launch("lead");
  const before = windows();
  for (const env of [{}, { TONGS_AGENTS_LAUNCH_ID: null, TONGS_AGENTS_STATE_DIR: null }]) {
    const ran = await shell.run([process.execPath, program, "workspace", "--detach"], env);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("agents_spawn") });
    expect(world.auditLines().at(-1)).toMatchObject({
      action: "workspace",
      outcome: "refused",
      exit_code: 5,
      caller: lead,
    });
  }
  expect(windows()).toBe(before);
});

it("T-27 C-06 works from a home with spaces, quotes, $ and other letters in it", async () => {
  workspaceWorld(["one"], 'it\'s a "home" $HOME é世;');
  const { XDG_RUNTIME_DIR: _, ...env } = world.env;
  const run = (): Promise<Ran> =>
    runProgram([process.execPath, program, "workspace", "--json"], {
      env,
      input: "",
      cwd: world.env["HOME"] ?? "",
    });
  expect(JSON.parse((await run()).stdout)).toMatchObject({ ok: true, panes: [{ state: "started" }] });
  const [pane] = (JSON.parse((await run()).stdout) as Started).panes;
  expect(pane).toMatchObject({ state: "running" });
  expect(world.record(pane?.launch_id ?? "")["cwd"]).toBe(world.env["HOME"]);
});

it("C-06 a current directory that is gone is a clear error", async () => {
  workspaceWorld(["one"]);
  const gone = join(world.root, "gone");
  mkdirSync(gone);
  const script = 'cd "$0" && rmdir "$0" && exec "$@"';
  const argv = ["sh", "-c", script, gone, process.execPath, program, "workspace", "--json"];
  const ran = await runProgram(argv, { env: world.env, input: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, code: "directory-missing" });
  expect(windowsOrNone()).toBe("");
  rmSync(gone, { recursive: true, force: true });
});

/** Empty while no server runs. */
function windowsOrNone(): string {
  if (!existsSync(world.socket)) return "";
  try {
    return windows();
  } catch {
    return "";
  }
}
