import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareClaudeHome, prepareCodexHome, prepareOpencodeHome, preparePiHome } from "../src/index.ts";

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
  prepareOpencodeHome({ ...options(), mcpServers: { a: { type: "local", command: ["node"] } } });
  preparePiHome(options());
  expect(JSON.parse(written(".config", "opencode", "opencode.json"))).toMatchObject({
    provider: { fake: { options: { baseURL: "http://127.0.0.1:1/v1" } } },
    mcp: { a: { command: ["node"] } },
  });
  expect(JSON.parse(written(".pi", "agent", "models.json"))).toMatchObject({
    providers: { fake: { baseUrl: "http://127.0.0.1:1" } },
  });
});
