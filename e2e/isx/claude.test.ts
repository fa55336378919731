import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claudeBinary, type FakeModel, prepareClaudeHome, startFakeModel } from "@agent-control/fake-model";
import { afterEach, beforeEach, expect } from "vitest";
import { runProgram } from "../shared/run-program.ts";
import { createWorld, incusIt, usesIncus, type World } from "./world.ts";

let world: World;
let model: FakeModel;
beforeEach(async () => {
  if (!usesIncus()) return;
  world = await createWorld();
  model = await startFakeModel();
});
afterEach(async () => {
  await model?.close();
  await world?.close();
});

incusIt(
  "C-27 X-10 X-24 the real Claude Code, registered by isx, lists templates, builds in the background in an instance and destroys it",
  { timeout: 240_000 },
  async () => {
    world.writeTemplate("tpl-job", "name: tpl-job\nimage: base\nnetwork: airgap\n");
    await world.cli(["init"]);
    await world.build("tpl-job");
    world.writeMcp("templates: [tpl-job]\n");
    const { env, projectDir } = await registeredClaude();

    const build =
      "mkdir -p out && for part in a b c; do echo compiled $part | tee -a out/log; sleep 0.2; done; exit 3";
    const prompt = [
      "[[call list_templates]]",
      '[[call create_instance {"template":"{{result.templates.0.template}}","name_hint":"claude"}]]',
      `[[call exec ${JSON.stringify({ instance: "{{result.instance}}", command: build, background: true })}]]`,
      "[[call wait_any]]",
      '[[call task_result {"task_id":"{{result.finished.0}}"}]]',
      '[[call destroy_instance {"instance":"{{result.instance}}"}]]',
      "[[call list_instances]]",
      "[[say {{result.total}} left; the build exited with {{results.4.exit_code}}: {{results.4.stdout}}]]",
    ].join("");
    const flags = ["--output-format", "json", "--allowedTools", "mcp__isx"];
    const ran = await runProgram(["claude", "-p", prompt, ...flags], { env, cwd: projectDir, input: "" });
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      is_error: false,
      result: "0 left; the build exited with 3: compiled a\ncompiled b\ncompiled c\n",
    });

    expect(world.auditLines().map(({ action, outcome }) => [action, outcome])).toEqual([
      ["list_templates", "ok"],
      ["create_instance", "ok"],
      ["exec", "ok"],
      ["wait_any", "ok"],
      ["task_result", "ok"],
      ["destroy_instance", "ok"],
      ["list_instances", "ok"],
    ]);
    expect((await world.incus.instances()).map(({ name }) => name)).toEqual(["tpl-job"]);
  },
);

/** Claude Code on PATH with a home in which it asks only the scripted model and knows the server from `isx mcp register`. */
async function registeredClaude() {
  const home = world.env["HOME"] ?? "";
  const [programs, projectDir] = [join(world.root, "programs"), join(world.root, "project")];
  for (const directory of [programs, projectDir]) mkdirSync(directory);
  symlinkSync(claudeBinary(import.meta.url), join(programs, "claude"));
  const claudeEnv = prepareClaudeHome({ home, projectDir, url: model.url });
  const env = { ...claudeEnv, HOME: home, PATH: `${programs}:${world.env["PATH"]}` };
  const registered = await world.cli(["mcp", "register", "claude"], { env });
  expect(registered.code, registered.stdout + registered.stderr).toBe(0);
  return { env, projectDir };
}
