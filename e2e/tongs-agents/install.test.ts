import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { prepareClaudeHome, startFakeModel } from "@agent-control/fake-model";
import { afterEach, expect, it } from "vitest";
import { type AgentHome, createAgentHome } from "./agent-home.ts";
import { claude, claudeIt } from "./claude-world.ts";
import { runProgram } from "./world.ts";

const everyAgent = ["claude", "codex", "opencode", "pi"];
let home: AgentHome;
afterEach(() => home.close());

const settings = `{
  // mine
  "theme": "dark", // as at night
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
  },
}
`;
const codexConfig = 'model = "gpt"\r\n\r\n[mcp_servers.other]\r\ncommand = "other"';
const opencodeConfig = '\ufeff{"theme": "dark", "mcp": {"other": {"type": "local", "command": ["other"]}}}';

function writeForeignFiles(): void {
  home.write(".codex/config.toml", codexConfig);
  home.write(".codex/hooks.json", '{\n\t"hooks": {}\n}');
  home.write("config/opencode/opencode.jsonc", opencodeConfig);
  home.write("config/opencode/node_modules/@opencode-ai/plugin/package.json", "{}");
  home.write("config/opencode/package.json", '{"dependencies": {"@opencode-ai/plugin": "1"}}');
  home.write(".claude/settings.json", settings);
}

claudeIt("T-29 registers with the real Claude Code, which then connects and reports its status", async () => {
  home = createAgentHome(["claude"]);
  const model = await startFakeModel();
  const projectDirectory = join(home.root, "project");
  mkdirSync(projectDirectory);
  const prepared = prepareClaudeHome({ home: home.path(""), projectDir: projectDirectory, url: model.url });
  const env = { ...prepared, ...home.env };
  try {
    const { code, answer } = await home.ask("install");
    expect(answer.agents[0]).toMatchObject({ agent: "claude", ok: true });
    expect(code).toBe(0);
    const got = execFileSync(claude ?? "", ["mcp", "get", "tongs-agents"], { env, encoding: "utf8" });
    expect(got).toMatch(/Scope: User config[\s\S]*Status: .*Connected/);
    await runProgram([claude ?? "", "-p", "say hello"], { env, input: "", cwd: projectDirectory });
    const ofTheProject = statusRecords().filter(({ repo }) => repo === "project");
    expect(ofTheProject).toEqual([
      expect.objectContaining({ harness: "claude", status: "ended", turn_ts: expect.toSatisfy(isSet) }),
    ]);
    expect((await home.ask("uninstall")).code).toBe(0);
    expect(JSON.parse(home.read(".claude.json"))).toMatchObject({ mcpServers: {} });
  } finally {
    await model.close();
  }
});

function statusRecords(): Record<string, unknown>[] {
  const directory = join(home.stateDirectory, "fleet");
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
}

const isSet = (time: number) => time > 0;

claudeIt(
  "T-29 installs once: the second run changes nothing, and uninstall restores every byte",
  async () => {
    home = createAgentHome(everyAgent);
    writeForeignFiles();
    const before = home.tree();
    expect((await home.ask("install")).answer.agents).toMatchObject(
      everyAgent.map((agent) => ({ agent, ok: true })),
    );
    const installed = home.tree();
    expect(Object.keys(installed).sort()).toEqual(
      [
        ...Object.keys(before),
        ".pi/agent/extensions/tongs-agents.js",
        "config/opencode/plugins/tongs-agents.js",
      ].sort(),
    );
    const again = await home.ask("install");
    expect(again.answer.agents.flatMap(({ steps }) => steps.map(({ state }) => state))).toEqual(
      Array(7).fill("unchanged"),
    );
    expect(home.tree()).toEqual(installed);
    const { code } = await home.ask("uninstall");
    expect(code).toBe(0);
    expect(home.tree()).toEqual(before);
  },
);

it("T-29 removes only its own entries from files that changed since", async () => {
  home = createAgentHome(["codex", "opencode"]);
  writeForeignFiles();
  await home.ask("install", "--agent", "codex");
  home.write(".codex/config.toml", `${home.read(".codex/config.toml")}\r\n[tui]\r\ntheme = "x"\r\n`);
  home.write(".codex/hooks.json", home.read(".codex/hooks.json").replace("{", '{\n\t"mine": true,'));
  await home.ask("uninstall", "--agent", "codex");
  expect(home.read(".codex/config.toml")).toBe(`${codexConfig}\r\n\r\n[tui]\r\ntheme = "x"\r\n`);
  expect(JSON.parse(home.read(".codex/hooks.json"))).toEqual({ mine: true });
});

claudeIt("T-29 --dry-run prints the change and writes nothing", async () => {
  home = createAgentHome(everyAgent);
  writeForeignFiles();
  const before = home.tree();
  const { code, stdout } = await home.cli(["install", "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`+++ ${home.path(".codex/config.toml")}`);
  expect(stdout).toContain("+[mcp_servers.tongs-agents]");
  expect(stdout).toContain("claude mcp add --scope user tongs-agents -- ");
  expect(home.tree()).toEqual(before);
  expect(readdirSync(home.path(""))).not.toContain(".claude.json");
  expect(readdirSync(home.path("state"))).toEqual([]);
});

it("T-29 goes on with the other agents when one has a file that cannot be edited, and says so", async () => {
  home = createAgentHome(["codex", "opencode", "pi"]);
  mkdirSync(home.path(".codex/config.toml"), { recursive: true });
  home.write("config/opencode/opencode.json", '{"mcp": ');
  const { code, answer } = await home.ask("install");
  expect(code).toBe(1);
  const [, codex, opencode, pi] = answer.agents;
  expect(codex).toMatchObject({ ok: false, steps: [] });
  expect(codex?.error).toMatch(/config\.toml is a directory\. \S[^.]*\.$/);
  expect(opencode?.error).toMatch(/opencode\.json cannot be edited safely: line 1, column 9 is not JSON/);
  expect(pi).toMatchObject({ ok: true, steps: [{ state: "written" }] });
  expect(readdirSync(home.path(".codex"))).toEqual(["config.toml"]);
  expect(home.read("config/opencode/opencode.json")).toBe('{"mcp": ');
});

it("T-29 leaves a read-only file alone", async () => {
  home = createAgentHome(["codex"]);
  home.write(".codex/config.toml", codexConfig);
  chmodSync(home.path(".codex/config.toml"), 0o444);
  const { code, answer } = await home.ask("mcp", "register", "--agent", "codex");
  expect(code).toBe(1);
  expect(answer.agents[0]?.error).toMatch(/config\.toml is read-only, so it was left alone/);
  expect(home.read(".codex/config.toml")).toBe(codexConfig);
  expect(readdirSync(home.path(".codex"))).toEqual(["config.toml"]);
});

it("T-29 follows a symlinked configuration file, C-06 in a home with a hostile name", async () => {
  home = createAgentHome(["codex"], 'it\'s $HOME "é" `x`');
  home.write("dotfiles/config.toml", codexConfig);
  mkdirSync(home.path(".codex"));
  symlinkSync(home.path("dotfiles/config.toml"), home.path(".codex/config.toml"));
  expect((await home.ask("install", "--agent", "codex")).code).toBe(0);
  expect(lstatSync(home.path(".codex/config.toml")).isSymbolicLink()).toBe(true);
  expect(home.read("dotfiles/config.toml")).toContain("[mcp_servers.tongs-agents]");
  const { hooks } = JSON.parse(home.read(".codex/hooks.json"));
  const command: string = hooks.Stop[0].hooks[0].command;
  const ran = await runProgram(["/bin/sh", "-c", command], { env: home.env, input: '{"session_id": "s1"}' });
  expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  await home.ask("uninstall", "--agent", "codex");
  expect(lstatSync(home.path(".codex/config.toml")).isSymbolicLink()).toBe(true);
  expect(home.read("dotfiles/config.toml")).toBe(codexConfig);
});

it("T-29 leaves out agent CLIs that are not there, with a note", async () => {
  home = createAgentHome([]);
  const { code, answer } = await home.ask("install");
  expect(code).toBe(0);
  expect(answer.agents.flatMap(({ notes }) => notes)).toEqual(
    ["Claude Code", "Codex", "opencode", "Pi"].map(
      (title) => `${title} is not on PATH, so nothing was done for it.`,
    ),
  );
  expect(home.tree()).toEqual({});
});

it("T-29 gives opencode no plugin while its plugins' package is not installed and named: it would hang", async () => {
  home = createAgentHome(["opencode"]);
  home.write("config/opencode/node_modules/@opencode-ai/plugin/package.json", "{}");
  const before = home.tree();
  const { answer } = await home.ask("install", "--agent", "opencode");
  expect(Object.keys(home.tree())).toEqual([...Object.keys(before), "config/opencode/opencode.json"].sort());
  expect(answer.agents[0]?.notes[0]).toMatch(/opencode reports no status yet/);
  expect(JSON.parse(home.read("config/opencode/opencode.json")).mcp["tongs-agents"]).toMatchObject({
    type: "local",
    timeout: 660_000,
  });
  await home.ask("uninstall", "--agent", "opencode");
  expect(home.tree()).toEqual(before);
});

it("points every entry to the program where it is now", async () => {
  home = createAgentHome(["codex"]);
  await home.ask("install", "--agent", "codex");
  for (const file of [".codex/config.toml", ".codex/hooks.json"]) {
    home.write(file, home.read(file).replaceAll(process.execPath, "/old/node"));
  }
  await home.ask("install", "--agent", "codex");
  for (const file of [".codex/config.toml", ".codex/hooks.json"]) {
    expect(home.read(file)).not.toContain("/old/node");
    expect(home.read(file)).toContain(process.execPath);
  }
});

it("C-08 writes a first config.toml that is valid, gives no control, and is never overwritten", async () => {
  home = createAgentHome([]);
  expect((await home.cli(["config", "init"])).code).toBe(0);
  const check = await home.cli(["config", "check", "--json"]);
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, mcp_enabled: false, mcp_control: [] });
  const file = "config/tongs-agents/config.toml";
  expect(lstatSync(home.path(file)).mode & 0o777).toBe(0o600);
  const again = await home.cli(["config", "init"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/config\.toml is there already/);
  renameSync(home.path(file), home.path(`${file}.old`));
  symlinkSync("nowhere", home.path(file));
  expect((await home.cli(["config", "init"])).code).toBe(1);
});

it.each([
  ["json", /^\{[\s\S]*"mcpServers"[\s\S]*"mcp"\n/],
  ["claude", /^claude mcp add --scope user tongs-agents -- \S+node \S+ mcp\n$/],
  ["codex", /^# >>> tongs-agents >>>\n[\s\S]*tool_timeout_sec = 660\n/],
  ["opencode", /"timeout": 660000/],
])("prints the MCP server's entry in the form of %s", async (client, form) => {
  home = createAgentHome([]);
  const { code, stdout } = await home.cli(["mcp", "config", "--client", client]);
  expect(code).toBe(0);
  expect(stdout).toMatch(form);
});
