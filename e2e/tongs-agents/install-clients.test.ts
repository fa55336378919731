import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeModel, startFakeModel } from "@agent-control/fake-model";
import { shellQuote } from "@agent-control/harness";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentHome, createAgentHome } from "./agent-home.ts";
import { isInstalled, type RealAgentId, realAgents } from "./real-agents.ts";
import { runProgram } from "./world.ts";

let home: AgentHome;
let model: FakeModel;
beforeEach(async () => {
  home = createAgentHome(["codex", "opencode", "pi"]);
  model = await startFakeModel();
});
afterEach(async () => {
  await model.close();
  await home.close();
});

it.skipIf(!isInstalled("codex"))("T-29 the real Codex runs the hooks and knows the server", async () => {
  const { env, projectDirectory } = prepare("codex");
  await home.ask("install", "--agent", "codex");
  const listed = await runProgram(["codex", "mcp", "list", "--json"], { env, input: "" });
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: "tongs-agents", enabled: true, tool_timeout_sec: 660, transport: { type: "stdio" } },
  ]);
  const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
  await runProgram(["codex", "exec", ...flags, "say hello"], { env, input: "", cwd: projectDirectory });
  expect(home.statusRecords()).toMatchObject([
    { harness: "codex", repo: "project", turn_ts: expect.any(Number) },
  ]);
});

it.skipIf(!isInstalled("pi"))(
  "T-29 the real Pi loads the status extension, which reports its turn",
  async () => {
    const { env, projectDirectory } = prepare("pi");
    await home.ask("install", "--agent", "pi");
    const ran = await runProgram(["pi", "-p", "say hello"], { env, input: "", cwd: projectDirectory });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(home.statusRecords()).toMatchObject([
      { harness: "pi", status: "ended", last_event: "session_shutdown" },
    ]);
  },
);

it.skipIf(!isInstalled("opencode"))("T-29 the real opencode connects to the server", async () => {
  const { env, projectDirectory } = prepare("opencode");
  await home.ask("install", "--agent", "opencode");
  const listed = await runProgram(["opencode", "mcp", "list"], { env, input: "", cwd: projectDirectory });
  expect(listed.stdout).toMatch(/tongs-agents\s.*connected/);
});

it.skipIf(!isInstalled("opencode") || process.env["QUICK"])(
  "T-29 the real opencode loads the status plugin beside its package, without a network, and it reports the turn",
  { timeout: 180_000 },
  async (context) => {
    const { env, projectDirectory } = prepare("opencode");
    const problem = installPluginPackage(home.path(".config/opencode"));
    if (problem !== undefined) {
      console.warn(`Skipped: @opencode-ai/plugin cannot be installed: ${problem}`);
      context.skip(problem);
    }
    const { answer } = await home.ask("install", "--agent", "opencode");
    expect(answer.agents).toMatchObject([{ agent: "opencode", ok: true, notes: [] }]);
    await runProgram(["opencode", "run", "say hello"], { env, input: "", cwd: projectDirectory });
    expect(home.statusRecords()).toMatchObject([
      { harness: "opencode", repo: "project", turn_ts: expect.any(Number) },
    ]);
  },
);

/** Installs the 64 MB with this machine's own npm settings; returns why it could not. */
function installPluginPackage(directory: string): string | undefined {
  try {
    const words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", directory];
    execFileSync("npm", [...words, "@opencode-ai/plugin@1.18.33"], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 120_000,
    });
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 3).join(" ");
  }
}

/** Puts the agent on PATH, with a home in which it asks only the scripted model. */
function prepare(agent: RealAgentId) {
  const path = join(home.root, "programs", agent);
  const { argv, prepare } = realAgents[agent];
  writeFileSync(path, `#!/bin/sh\nexec ${argv().map(shellQuote).join(" ")} "$@"\n`, { mode: 0o755 });
  const projectDirectory = join(home.root, "project");
  mkdirSync(projectDirectory);
  // Each looks for its files where a person without XDG variables has them.
  delete home.env["XDG_CONFIG_HOME"];
  const prepared = prepare({ home: home.path(""), projectDir: projectDirectory, url: model.url });
  return { env: { ...prepared, ...home.env }, projectDirectory };
}
