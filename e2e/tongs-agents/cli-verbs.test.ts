import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createAgentShell } from "./agent-shell.ts";
import { onTerminal } from "./person-terminal.ts";
import { recorderProfile, scriptedProfile, untilShown } from "./scripted-agents.ts";
import { createWorld, program, runProgram, until, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

/** A world with one launched worker; returns its launch id once it reads. */
async function workerWorld(): Promise<string> {
  world = createWorld();
  world.writeConfig(world.workerProfile());
  const id = await world.launch("worker");
  await until(() => world.isReading(), 10_000, "the worker reads");
  return id;
}

/** Adds a record whose id begins like the launch's; returns that id. */
function addTwin(id: string): string {
  const twin = `${id.slice(0, 4)}${id.at(4) === "a" ? "b" : "a"}${id.slice(5)}`;
  const record = { ...world.record(id), id: twin };
  writeFileSync(join(world.stateDirectory, "launches", `${twin}.json`), JSON.stringify(record), {
    mode: 0o600,
  });
  return twin;
}

const actions = () =>
  world.auditLines().map(({ action, target, outcome, exit_code }) => [action, target, outcome, exit_code]);
const received = () => world.workerBytes().toString();
const agentsJson = async (...args: string[]) =>
  (
    JSON.parse((await world.cli(["list", "--json", ...args])).stdout) as {
      launches: Record<string, unknown>[];
    }
  ).launches;

it("T-26 every verb takes the start of a launch id", async () => {
  const id = await workerWorld();
  const start = id.slice(0, 5);
  for (const words of [
    ["send", start, "hello"],
    ["focus", start],
    ["wait", start, "--until", "exited", "--timeout", "0"],
  ]) {
    const ran = await world.cli([...words, "--json"]);
    const answered = JSON.parse(ran.stdout) as Record<string, unknown>;
    expect({ words, code: answered["ok"] ? 0 : answered["code"] }).toEqual({
      words,
      code: words[0] === "wait" ? "wait-timeout" : 0,
    });
  }
  await until(() => received().endsWith("\r"), 5_000, "Enter");
  expect(received()).toBe("\u001b[200~hello\u001b[201~\r");
  expect(actions().slice(1)).toEqual([
    ["send", id, "ok", 0],
    ["focus", id, "ok", 0],
    ["wait", id, "timeout", 3],
  ]);
});

it("T-26 the start of several ids is refused with all of them, acts on none, and is audited", async () => {
  const id = await workerWorld();
  const twin = addTwin(id);
  const verbs = [["send", "hello"], ["agent-status"], ["wait"], ["focus"]] as const;
  for (const [verb, ...rest] of verbs) {
    const ran = await world.cli([verb, id.slice(0, 4), ...rest]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(id);
    expect(ran.stderr).toContain(twin);
    expect((await world.cli([verb, "zzzz", ...rest])).code).toBe(5);
  }
  expect(received()).toBe("");
  expect(actions().slice(1)).toEqual(
    [["send"], ["status"], ["wait"], ["focus"]].flatMap(([action]) => [
      [action, id.slice(0, 4), "usage", 2],
      [action, "zzzz", "refused", 5],
    ]),
  );
});

it("T-26 verbs end with the exit code of what happened", async () => {
  const id = await workerWorld();
  const code = async (...args: string[]) => (await world.cli(args)).code;
  expect(await code("agent-status", id)).toBe(6);
  expect(await code("wait", id, "--until", "exited", "--timeout", "0")).toBe(3);
  expect(await code("wait", id, "--until", "soon")).toBe(2);
  expect(await code("wait", id, "--timeout=-1")).toBe(2);
  const hidden = join(world.root, "hidden");
  renameSync(world.socket, hidden);
  expect(await code("send", id, "x")).toBe(7);
  expect(await code("focus", id)).toBe(7);
  renameSync(hidden, world.socket);
  process.kill(world.record(id).process?.pid ?? 0, "SIGKILL");
  await until(async () => (await agentsJson()).length === 0, 5_000, "the worker to end");
  expect(await code("send", id, "x")).toBe(4);
  expect(await code("focus", id)).toBe(4);
  expect(await code("wait", id)).toBe(4);
  expect(await code("wait", id, "--until", "exited")).toBe(0);
  expect(await code("agent-status", id)).toBe(0);
});

it("T-26 ^C ends a wait with 130 and its audit line", async () => {
  const id = await workerWorld();
  const child = spawn(process.execPath, [program, "wait", id, "--until", "exited"], { env: world.env });
  await until(() => childSaid(child.stderr, "waiting"), 10_000, "the wait to begin");
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
  expect(actions().at(-1)).toEqual(["wait", id, "cancelled", 130]);
});

it("T-26 T-20 send takes its text from a pipe, exactly, without one trailing newline", async () => {
  world = createWorld();
  world.writeConfig(recorderProfile(world, "worker"));
  const id = await world.launch("worker");
  await until(() => world.isReading(), 10_000, "the worker reads");
  const text = "one\ttab\n\n  -two; 世界 #{pane_id} $HOME `id`\n!";
  for (const args of [["-"], []]) {
    rmSync(world.workerFile(), { force: true });
    expect(await world.cli(["send", id, ...args], { input: `${text}\n` })).toMatchObject({ code: 0 });
    await until(() => received().endsWith("\r"), 5_000, "Enter");
    expect(received()).toBe(`\u001b[200~${text}\u001b[201~\r`);
  }
});

it("T-26 send refuses an empty pipe, bytes that are no text, and more than it could paste, and types nothing", async () => {
  const id = await workerWorld();
  const piped = (script: string) =>
    runProgram(["sh", "-c", `${script} | "$@"`, "sh", process.execPath, program, "send", id, "-"], {
      env: world.env,
      input: "",
    });
  expect((await piped("printf ''")).code).toBe(2);
  expect((await piped("printf 'caf\\351'")).code).toBe(2);
  expect((await piped("head -c 2000000 /dev/zero | tr '\\0' x")).code).toBe(2);
  expect((await world.cli(["send", id, "-"], { input: "x".repeat(100_001) })).code).not.toBe(0);
  expect(received()).toBe("");
});

it("T-26 send says on a terminal how the text ends", async () => {
  const id = await workerWorld();
  const terminal = onTerminal(world, ["send", id]);
  await until(() => terminal.output().includes("end it with ^D"), 10_000, "the hint");
  terminal.type("typed\n\u0004");
  expect(await terminal.exitCode).toBe(0);
  expect(received()).toBe("\u001b[200~typed\u001b[201~\r");
});

it("T-26 list tells what each agent does by its hooks, whoever is asked to act on them", async () => {
  world = createWorld();
  world.writeConfig(scriptedProfile(world, "lead") + world.workerProfile());
  const lead = await world.launch("lead");
  const worker = await world.launch("worker");
  await untilShown(world, lead, "? for shortcuts");
  const state = async (id: string) =>
    (await agentsJson()).find(({ launch_id }) => launch_id === id)?.["state"];
  expect(await state(worker)).toBe("running");
  await world.cli(["send", lead, "ask"]);
  await until(async () => (await state(lead)) === "waiting", 10_000, "waiting");
  expect((await world.cli(["list"])).stdout).toMatch(/lead +waiting +\d+ s +permission +claude/);
  process.kill(world.record(worker).process?.pid ?? 0, "SIGKILL");
  await until(async () => (await state(worker)) === undefined, 5_000, "the worker to leave the list");
  expect((await agentsJson("--all")).map(({ launch_id, state }) => [launch_id, state])).toEqual([
    [worker, "exited"],
    [lead, "waiting"],
  ]);
});

it("T-26 focus brings the agent's window to the front of its own session", async () => {
  const id = await workerWorld();
  const front = () => world.tmux("list-panes", "-t", "agents:", "-F", "#{pane_id}").trim();
  expect(front()).not.toBe(world.record(id).pane_id);
  expect(await world.cli(["focus", id])).toMatchObject({ code: 0, stderr: "" });
  expect(front()).toBe(world.record(id).pane_id);
});

it("T-44 focus below a launch has that launch as its caller; monitor and list only look", async () => {
  world = createWorld();
  const shell = createAgentShell(world, "lead");
  world.writeConfig(shell.toml);
  const lead = await world.launch("lead");
  const run = (...args: string[]) => shell.run([process.execPath, program, ...args]);
  expect(await run("focus", lead)).toMatchObject({ code: 0 });
  expect(world.auditLines().at(-1)).toMatchObject({
    action: "focus",
    caller: lead,
    target: lead,
    outcome: "ok",
  });
  const lines = world.auditLines().length;
  expect((await run("monitor")).stdout).toContain(lead);
  expect((await run("list")).stdout).toContain(lead);
  expect(world.auditLines()).toHaveLength(lines);
});

it("T-28 monitor prints the rows once where nobody watches, also none", async () => {
  world = createWorld();
  world.writeConfig(world.workerProfile());
  expect(await world.cli(["monitor"])).toEqual({ code: 0, stdout: "No agent runs\n", stderr: "" });
  expect(await world.cli(["monitor", "--once", "--json"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const id = await world.launch("worker");
  expect((await world.cli(["monitor"])).stdout).toMatch(new RegExp(`^LAUNCH .*\n${id}  worker .*running`));
  const ran = await world.cli(["monitor", "--once", "--json"]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ launch_id: id, state: "running", spawned_by: null });
});

it("T-28 monitor --json prints a line at each change within a second, and one when the agent has ended", async () => {
  world = createWorld();
  world.writeConfig(scriptedProfile(world, "lead"));
  const child = spawn(process.execPath, [program, "monitor", "--json"], { env: world.env });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const states = () =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { state: string }).state);
  const lead = await world.launch("lead");
  await untilShown(world, lead, "? for shortcuts");
  await world.cli(["send", lead, "work 1500"]);
  await until(() => states().at(-1) === "working", 1_500, "working");
  await until(() => states().at(-1) === "done", 5_000, "done");
  process.kill(world.record(lead).process?.pid ?? 0, "SIGKILL");
  await until(() => states().at(-1) === "exited", 3_000, "exited");
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(states().filter((state) => state === "exited")).toHaveLength(1);
});

it("C-02 monitor ends quietly when its reader has gone", async () => {
  await workerWorld();
  const line = '"$@" monitor --json | head -n 1; echo $PIPESTATUS';
  const running = runProgram(["bash", "-c", line, "bash", process.execPath, program], {
    env: world.env,
    input: "",
  });
  await until(() => world.isReading(), 1_000, "the worker");
  const second = await world.launch("worker");
  process.kill(world.record(second).process?.pid ?? 0, "SIGKILL");
  const ran = await running;
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toMatch(/^\{.*\}\n0\n$/);
});

it("T-28 monitor follows on a terminal until ^C, in rows that fit, and gives the screen back", async () => {
  world = createWorld();
  world.writeConfig(scriptedProfile(world, "lead"));
  const lead = await world.launch("lead");
  await untilShown(world, lead, "? for shortcuts");
  const terminal = onTerminal(world, ["monitor"]);
  await until(() => terminal.output().includes(lead), 10_000, "the row");
  await world.cli(["send", lead, "ask"]);
  await until(() => terminal.output().includes("◆ waiting"), 10_000, "waiting");
  const rows = terminal.output().split(/\r\n|\u001b\[H\u001b\[J/);
  const widths = rows.map((row) => row.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, "").length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(100);
  terminal.type("\u0003");
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.output()).toMatch(/\u001b\[\?25h\u001b\[\?1049l.*LAUNCH/s);
});

it("C-03 the completion of bash offers verbs, profiles and launch ids", async () => {
  const id = await workerWorld();
  const bin = join(world.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tongs-agents"), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, {
    mode: 0o700,
  });
  const complete = async (...words: string[]) => {
    const script = `eval "$(tongs-agents completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tongs_agents_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...world.env, PATH: `${bin}:${world.env["PATH"]}` };
    const ran = await runProgram(["bash", "-c", script, "bash", "tongs-agents", ...words], {
      env,
      input: "",
    });
    expect(ran.stderr).toBe("");
    return ran.stdout.trim().split("\n");
  };
  expect(await complete("wo")).toEqual(["workspace"]);
  expect(await complete("launch", "")).toEqual(["worker"]);
  expect(await complete("focus", id.slice(0, 2))).toEqual([id]);
  expect(await complete("workspace", "--de")).toEqual(["--detach"]);
});

it("C-03 an unknown verb or flag names the nearest; the manual page has every verb", async () => {
  world = createWorld();
  expect(await world.cli(["workspce"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"tongs-agents workspace"'),
  });
  expect(await world.cli(["workspace", "--atach"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean --attach?"),
  });
  const page = (await world.cli(["man-page"])).stdout;
  expect(page).toMatch(/^\.TH /m);
  for (const verb of ["workspace", "launch", "focus", "monitor"]) expect(page).toContain(verb);
});

it("C-06 works without XDG_RUNTIME_DIR and with a config that is a symlink", async () => {
  world = createWorld();
  world.writeConfig(world.workerProfile());
  const config = join(world.env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
  renameSync(config, join(world.root, "dotfiles.toml"));
  symlinkSync(join(world.root, "dotfiles.toml"), config);
  const { XDG_RUNTIME_DIR: _, ...env } = world.env;
  const run = (...args: string[]) =>
    runProgram([process.execPath, program, ...args, "--json"], { env, input: "" });
  const { launch_id: id } = JSON.parse((await run("launch", "worker")).stdout) as { launch_id: string };
  await until(() => world.isReading(), 10_000, "the worker reads");
  expect(await run("send", id, "hello")).toMatchObject({ code: 0 });
  expect(world.record(id)["runtime_dir"]).toBe(join(world.stateDirectory, "run"));
});

it("C-06 a socket path that is too long is an error with its length, and makes nothing", async () => {
  world = createWorld();
  const long = join(world.root, "s".repeat(120));
  world.writeConfig(`${world.workerProfile("lead")}[workspace]\nsocket = ${JSON.stringify(long)}\n`);
  for (const verb of [["workspace"], ["launch", "lead"]]) {
    const ran = await world.cli([...verb, "--json"]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      code: "socket-path-too-long",
      error: expect.stringContaining(`${long.length} bytes`),
    });
  }
  expect(await agentsJson("--all")).toEqual([]);
});

/** Whether the child has written this on the stream; to be asked again and again. */
const said = new WeakMap<NodeJS.ReadableStream, string>();
function childSaid(stream: NodeJS.ReadableStream, text: string): boolean {
  if (!said.has(stream)) {
    said.set(stream, "");
    stream.on("data", (bytes) => said.set(stream, `${said.get(stream)}${bytes}`));
  }
  return said.get(stream)?.includes(text) ?? false;
}
