import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEnvironment,
  codexBinary,
  type FakeModel,
  type HomeOptions,
  opencodeBinary,
  piScript,
  prepareCodexHome,
  prepareOpencodeHome,
  preparePiHome,
  startFakeModel,
} from "@agent-control/fake-model";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentHome, createAgentHome } from "./agent-home.ts";
import { runProgram } from "./world.ts";

const from = import.meta.url;
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

const installed = {
  codex: find(() => codexBinary(from)),
  opencode: find(() => opencodeBinary(from)),
  pi: find(() => piScript(from)),
};

/** Undefined on a developer's machine without the agent CLI. A missing one fails where CI is set. */
function find(locate: () => string): string | undefined {
  try {
    return locate();
  } catch (error) {
    if (process.env["CI"]) throw error;
    return undefined;
  }
}

it.skipIf(!installed.codex)("T-29 the real Codex runs the hooks and knows the server", async () => {
  const { env, projectDirectory } = prepare("codex", prepareCodexHome);
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

it.skipIf(!installed.pi)("T-29 the real Pi loads the status extension, which reports its turn", async () => {
  const { env, projectDirectory } = prepare("pi", preparePiHome);
  await home.ask("install", "--agent", "pi");
  const ran = await runProgram(["pi", "-p", "say hello"], { env, input: "", cwd: projectDirectory });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(home.statusRecords()).toMatchObject([
    { harness: "pi", status: "ended", last_event: "session_shutdown" },
  ]);
});

it.skipIf(!installed.opencode)("T-29 the real opencode connects to the server", async () => {
  const { env, projectDirectory } = prepare("opencode", prepareOpencodeHome);
  await home.ask("install", "--agent", "opencode");
  const listed = await runProgram(["opencode", "mcp", "list"], { env, input: "", cwd: projectDirectory });
  expect(listed.stdout).toMatch(/tongs-agents\s.*connected/);
});

function prepare(
  agent: "codex" | "opencode" | "pi",
  prepareHome: (options: HomeOptions) => AgentEnvironment,
) {
  const programs = join(home.root, "programs");
  const path = join(programs, agent);
  rmSync(path);
  const target = installed[agent] ?? "";
  if (target.endsWith(".js"))
    writeFileSync(path, `#!/bin/sh\nexec ${process.execPath} ${target} "$@"\n`, { mode: 0o755 });
  else symlinkSync(target, path);
  const projectDirectory = join(home.root, "project");
  mkdirSync(projectDirectory);
  // Each looks for its files where a person without XDG variables has them.
  delete home.env["XDG_CONFIG_HOME"];
  const prepared = prepareHome({ home: home.path(""), projectDir: projectDirectory, url: model.url });
  return { env: { ...prepared, ...home.env }, projectDirectory };
}
