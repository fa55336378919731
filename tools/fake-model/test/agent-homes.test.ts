import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  codexBinary,
  opencodeBinary,
  piScript,
  prepareClaudeHome,
  prepareCodexHome,
  prepareOpencodeHome,
  preparePiHome,
} from "../src/index.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "fake-model-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const options = () => ({ home, projectDir: '/srv/a "b"', url: "http://127.0.0.1:1" });
const written = (...path: string[]) => readFileSync(join(home, ...path), "utf8");

it("lets Claude Code ask before it acts, next to the rules that a test gives", () => {
  prepareClaudeHome({ ...options(), settings: { permissions: { allow: ["Read"] }, hooks: {} } });
  expect(JSON.parse(written(".claude", "settings.json"))).toMatchObject({
    permissions: { defaultMode: "default", allow: ["Read"] },
    hooks: {},
  });
  expect(statSync(join(home, ".claude.json")).mode & 0o777).toBe(0o600);
});

it("gives every agent a home and a temporary directory of its own", () => {
  for (const prepare of [prepareClaudeHome, prepareCodexHome, prepareOpencodeHome, preparePiHome]) {
    const env = prepare(options());
    expect(env).toMatchObject({ HOME: home, TMPDIR: join(home, "tmp") });
    expect(statSync(join(home, "tmp")).isDirectory()).toBe(true);
  }
});

it("points Codex at the model, trusts the project and registers MCP servers", () => {
  const env = prepareCodexHome({
    ...options(),
    mcpServers: {
      "tongs-agents": { command: "node", args: ["a b.mjs"], env: { A: '"1"' }, passedVariables: ["TMUX"] },
    },
  });
  const config = written(".codex", "config.toml");
  expect(config).toContain('base_url = "http://127.0.0.1:1/v1"');
  expect(config).toContain('[projects."/srv/a \\"b\\""]\ntrust_level = "trusted"');
  expect(config).toContain(
    [
      '[mcp_servers."tongs-agents"]',
      'command = "node"',
      'args = ["a b.mjs"]',
      'env = { "A" = "\\"1\\"" }',
      'env_vars = ["TMUX"]',
    ].join("\n"),
  );
  expect(env[/env_key = "(.*)"/.exec(config)?.[1] ?? ""]).toBe("test-key");
});

it("points opencode and Pi at the model", () => {
  const env = prepareOpencodeHome({
    ...options(),
    mcpServers: { a: { type: "local", command: ["node"] } },
    permission: { bash: "ask" },
  });
  expect(env).toMatchObject({ XDG_CONFIG_HOME: join(home, ".config"), npm_config_fetch_retries: "0" });
  preparePiHome(options());
  expect(JSON.parse(written(".config", "opencode", "opencode.json"))).toMatchObject({
    provider: { fake: { options: { baseURL: "http://127.0.0.1:1/v1" } } },
    mcp: { a: { command: ["node"] } },
    permission: { bash: "ask" },
  });
  expect(JSON.parse(written(".pi", "agent", "models.json"))).toMatchObject({
    providers: { fake: { baseUrl: "http://127.0.0.1:1" } },
  });
});

it.each([
  [
    "Codex",
    codexBinary,
    /^@openai\/codex-.* is not installed for .*\. Add @openai\/codex to its devDependencies/,
  ],
  [
    "opencode",
    opencodeBinary,
    /^opencode-.* is not installed for .*\. Add opencode-ai to its devDependencies/,
  ],
  ["Pi", piScript, /^@mariozechner\/pi-coding-agent is not installed for .*\. Add @mariozechner/],
])("says what to do when %s is not installed", (_agent, find, message) => {
  expect(() => find(join(home, "package.json"))).toThrow(message);
});

it("finds a program in the packages that a package depends on, exported or not", () => {
  const program = join(home, "node_modules", "opencode-ai", "node_modules", platform, "bin", "opencode");
  for (const file of [
    join(home, "node_modules", "opencode-ai", "package.json"),
    join(program, "..", "..", "package.json"),
    program,
  ]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"exports":{}}');
  }
  expect(opencodeBinary(join(home, "package.json"))).toBe(realpathSync(program));
});

const platform = `opencode-${process.platform}-${process.arch}`;
