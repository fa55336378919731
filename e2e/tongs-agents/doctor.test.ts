import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentHome, createAgentHome } from "./agent-home.ts";
import { claudeIt } from "./claude-world.ts";
import { filesUnder } from "./tree.ts";

interface Row {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly next?: string;
}

let home: AgentHome;
beforeEach(() => {
  home = createAgentHome(["codex", "opencode", "pi"], "it's home");
});
afterEach(() => home.close());

/** The rows of doctor, those about `check` only when it is given, and its exit code. */
async function doctor(check?: string, env: Record<string, string> = {}) {
  const ran = await home.cli(["doctor", "--json"], { env });
  const { rows, ok } = JSON.parse(ran.stdout) as { readonly ok: boolean; readonly rows: readonly Row[] };
  expect(ok).toBe(ran.code === 0);
  return { code: ran.code, rows: rows.filter((row) => check === undefined || row.check === check) };
}

const level = ({ rows }: { readonly rows: readonly Row[] }) => rows.map((row) => row.level);

it("C-05 T-31 finds nothing broken in an empty home, says what to do first, and writes nothing", async () => {
  const before = filesUnder(home.root);
  const { code, rows } = await doctor(undefined, { XDG_RUNTIME_DIR: "" });
  expect(rows.filter((row) => row.level === "fail")).toEqual([]);
  expect(code).toBe(0);
  expect(rows).toContainEqual(
    expect.objectContaining({
      check: "configuration",
      level: "note",
      next: expect.stringContaining("config init"),
    }),
  );
  expect(rows).toContainEqual({
    check: "Codex MCP server",
    level: "note",
    message: `${home.path(".codex/config.toml")} holds no MCP server`,
    next: "Run tongs-agents install --agent codex",
  });
  expect(rows).toContainEqual(expect.objectContaining({ check: "run-time directory", level: "note" }));
  expect(filesUnder(home.root)).toEqual(before);
});

claudeIt("T-31 is content with what install wrote", async () => {
  await home.close();
  home = createAgentHome(["claude", "codex", "opencode", "pi"], "it's home");
  home.write("config/opencode/node_modules/@opencode-ai/plugin/package.json", "{}");
  home.write("config/opencode/package.json", '{"dependencies": {"@opencode-ai/plugin": "1"}}');
  await home.ask("install", "--approve");
  const { code, rows } = await doctor();
  const aboutAgents = rows.filter((row) => /^(?:Claude|Codex [^d]|opencode|Pi)/.test(row.check));
  expect(aboutAgents.map((row) => [row.check, row.level])).toEqual([
    ["Claude Code status hooks", "ok"],
    ["Claude Code MCP server", "ok"],
    ["Codex status hooks", "ok"],
    ["Codex MCP server", "ok"],
    ["Codex hook trust", "warn"],
    ["opencode MCP server", "ok"],
    ["opencode status plugin", "ok"],
    ["Pi status extension", "ok"],
    ["Pi", "note"],
  ]);
  expect(code).toBe(0);
});

it("T-31 tells which hooks Codex does not trust yet", async () => {
  await home.ask("install", "--agent", "codex");
  const { hooks } = JSON.parse(home.read(".codex/hooks.json")) as { hooks: Record<string, unknown> };
  const snake = (event: string) => event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const trust = (event: string) =>
    `[hooks.state.${JSON.stringify(`${home.path(".codex/hooks.json")}:${snake(event)}:0:0`)}]\ntrusted_hash = "x"\n`;
  const events = Object.keys(hooks);
  const config = home.read(".codex/config.toml");
  home.write(
    ".codex/config.toml",
    config +
      events
        .filter((event) => event !== "Stop")
        .map(trust)
        .join(""),
  );
  const partly = await doctor("Codex hook trust");
  expect(partly.rows[0]?.message).toBe("Codex does not run the hooks for Stop: nobody has trusted them yet");
  home.write(".codex/config.toml", config + events.map(trust).join(""));
  expect(level(await doctor("Codex hook trust"))).toEqual(["ok"]);
});

it("T-31 fails when a hook or a registration leads nowhere", async () => {
  await home.ask("install");
  const moved = (file: string) =>
    home.write(file, home.read(file).replaceAll(process.execPath, "/gone/node"));
  for (const file of [".codex/hooks.json", ".codex/config.toml", ".pi/agent/extensions/tongs-agents.js"])
    moved(file);
  const { code, rows } = await doctor();
  expect(code).toBe(1);
  expect(rows.filter((row) => row.level === "fail").map((row) => [row.check, row.next])).toEqual([
    ["Codex status hooks", "Run tongs-agents install --agent codex"],
    ["Codex MCP server", "Run tongs-agents install --agent codex"],
    ["Pi status extension", "Run tongs-agents install --agent pi"],
  ]);
  await home.ask("install");
  expect((await doctor()).code).toBe(0);
});

it("warns of hooks that are incomplete", async () => {
  await home.ask("install", "--agent", "codex");
  home.write(".codex/hooks.json", home.read(".codex/hooks.json").replace("'Stop'", "'Stopped'"));
  expect(level(await doctor("Codex status hooks"))).toEqual(["warn"]);
});

it("T-31 shows an invalid configuration with its place, and still everything else", async () => {
  home.writeConfig("[control]\nmcp_enabeld = true\n");
  const { code, rows } = await doctor();
  expect(code).toBe(1);
  const wrong = rows.filter((row) => row.level === "fail");
  expect(wrong.map((row) => row.check)).toEqual(["configuration"]);
  expect(wrong[0]?.message).toMatch(/config\.toml:2:1.*mcp_enabeld/);
  expect(rows.map((row) => row.check)).toContain("audit log");
});

it("names a profile whose program is missing and a control that nobody may use", async () => {
  home.writeConfig('[control]\nmcp_enabled = true\n[profiles.lead]\ncommand = ["no-such-agent"]\n');
  const { rows } = await doctor("configuration");
  expect(rows.map((row) => [row.level, row.message])).toEqual([
    ["ok", expect.stringContaining("is valid")],
    ["warn", "Control of agents is on, but no profile is opted in"],
    ["warn", "The program no-such-agent of profile lead was not found"],
  ]);
});

it("T-31 T-14 warns of an opted-in profile whose Codex would leave its work to a daemon", async () => {
  const profile = (name: string, words: string, more = "mcp_control = true") =>
    `[profiles.${name}]\ncommand = ["codex"${words}]\n${more}\n`;
  home.writeConfig(
    profile("shares", "") +
      profile("alone", ', "--no-daemon"') +
      profile("disabled", ', "--disable", "daemon_auto_start"') +
      profile("headless", ', "exec"') +
      profile("person", "", ""),
  );
  const { code, rows } = await doctor("configuration");
  expect(code).toBe(0);
  expect(rows.filter(({ next }) => next?.includes("--no-daemon")).map(({ message }) => message)).toEqual([
    "Codex of profile shares leaves its work to a daemon, so that what it asks for is refused",
  ]);
});

it("T-31 C-06 names the length of a socket path that is too long", async () => {
  home.writeConfig(`[workspace]\nsocket = "/${"s".repeat(120)}"\n`);
  const { code, rows } = await doctor("tmux");
  expect(code).toBe(1);
  expect(rows[0]?.message).toMatch(/121 bytes long, and 107 is the most/);
});

it("T-31 fails without tmux", async () => {
  const { code, rows } = await doctor("tmux", { PATH: join(home.root, "programs") });
  expect(code).toBe(1);
  expect(rows[0]).toMatchObject({ level: "fail", next: expect.stringMatching(/\S/) });
});

it("T-31 lists launch records that cannot be used or are stale", async () => {
  home.writeConfig(home.workerProfile());
  const id = await home.launch("worker");
  expect((await doctor("launch records")).rows.map((row) => row.message)).toEqual([
    "1 of 1 recorded agents run",
  ]);
  home.tmux("kill-server");
  writeFileSync(join(home.stateDirectory, "launches", `${"a".repeat(26)}.json`), "torn{");
  const { code, rows } = await doctor("launch records");
  expect(code).toBe(0);
  expect(rows.map((row) => row.level)).toEqual(["ok", "note", "warn"]);
  expect(rows[1]?.message).toContain(id);
  expect(rows[2]?.message).toMatch(/The record of launch a{26} cannot be used/);
});

it("T-31 tells when others may look into the state directory, or it is a link", async () => {
  mkdirSync(home.stateDirectory, { mode: 0o755 });
  chmodSync(home.stateDirectory, 0o755);
  expect(await doctor("state directory")).toMatchObject({ code: 0, rows: [{ level: "warn" }] });
  mkdirSync(home.path("elsewhere"));
  symlinkSync(home.path("elsewhere"), home.path("link"));
  const linked = await doctor("state directory", { TONGS_AGENTS_STATE_DIR: home.path("link") });
  expect(linked).toMatchObject({
    code: 1,
    rows: [{ level: "fail", message: expect.stringContaining("symbolic link") }],
  });
});

it("T-31 fails when a line of the audit log was edited", async () => {
  home.writeConfig(home.workerProfile());
  await home.launch("worker");
  expect(level(await doctor("audit log"))).toEqual(["ok"]);
  writeFileSync(home.auditLog, readFileSync(home.auditLog, "utf8").replace('"spawn"', '"spamm"'));
  const { code, rows } = await doctor("audit log");
  expect(code).toBe(1);
  expect(rows[0]?.message).toMatch(/not as it was written: control\.jsonl, line 1/);
});

it("T-31 T-14 warns of Codex's managed daemon and names --no-daemon", async () => {
  const pretends = [process.execPath, "-e", "setTimeout(() => {}, 60_000)", "app-server", "--managed-daemon"];
  const shell = spawn("/bin/sh", ["-c", '"$@" >&- 2>&- & echo $!', "sh", ...pretends], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = (await once(shell.stdout, "data")) as [Buffer];
  const pid = Number(output.toString());
  try {
    const { code, rows } = await doctor("Codex daemon");
    expect(code).toBe(0);
    expect(rows).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining(`pid ${pid}`),
        next: expect.stringContaining("--no-daemon"),
      }),
    );
  } finally {
    process.kill(pid, "SIGKILL");
  }
});

it("C-05 prints each finding with its next step for people", async () => {
  const { stdout, code } = await home.cli(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {4}tmux: tmux is installed and new enough$/m);
  expect(stdout).toMatch(/^note {2}configuration: .* does not exist.*\n {6}Run tongs-agents config init/m);
});
