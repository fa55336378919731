import { afterEach, beforeEach, expect } from "vitest";
import type { SdkClient } from "../shared/sdk-clients.ts";
import { createWorld, incusIt, usesIncus, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  if (usesIncus()) world = await createWorld();
});
afterEach(() => world?.close());

/** The structured result of a call that must go well. */
async function call(client: SdkClient, tool: string, args: Record<string, unknown> = {}) {
  const reply = await client.call(tool, args);
  expect(reply.isError, JSON.stringify(reply.content)).toBeFalsy();
  const { structuredContent, content } = reply;
  expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  return structuredContent as Record<string, unknown>;
}

incusIt(
  "X-24 an agent lists templates, makes an instance, runs a build in the background, reads it and destroys it",
  { timeout: 300_000 },
  async () => {
    world.writeTemplate("tpl-job", "name: tpl-job\ndescription: For a job\nimage: base\nnetwork: airgap\n");
    const init = await world.cli(["init"]);
    expect(init.code, init.stderr).toBe(0);
    await world.build("tpl-job");
    world.writeMcp("templates: [tpl-job]\n");
    const client = await world.connect({}, "SDK 1 in 2025-11-25");

    expect(await call(client, "list_templates")).toMatchObject({
      templates: [{ template: "tpl-job", description: "For a job", built: true, stale: false }],
      max_instances: 8,
    });
    const made = { template: "tpl-job", name_hint: "870-impl-", purpose: "#870 implement" };
    const { instance, workdir } = await call(client, "create_instance", made);
    expect(instance).toMatch(/^mcp-job-870-impl-[a-z2-7]{5}$/);
    expect(workdir).toBe("/home/agentuser");
    const command = "echo begun; for i in 1 2 3; do sleep 0.2; echo step $i; done; echo oops >&2; exit 7";
    const { task_id } = await call(client, "exec", { instance, command, background: true });
    const waited = await call(client, "wait_any");
    expect(waited).toEqual({
      tasks: [{ task_id, instance, kind: "command", state: "finished", exit_code: 7 }],
      finished: [task_id],
    });
    expect(await call(client, "task_result", { task_id })).toMatchObject({
      state: "finished",
      exit_code: 7,
      stdout: "begun\nstep 1\nstep 2\nstep 3\n",
      stderr: "oops\n",
      truncated: false,
    });
    expect(await call(client, "destroy_instance", { instance })).toEqual({ instance, already: false });
    expect(await call(client, "list_instances")).toMatchObject({ instances: [], total: 0 });
    await client.close();

    const lines = world.auditLines();
    expect(lines.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["list_templates", "ok"],
      ["create_instance", "ok"],
      ["exec", "ok"],
      ["wait_any", "ok"],
      ["task_result", "ok"],
      ["destroy_instance", "ok"],
      ["list_instances", "ok"],
    ]);
    expect(lines[2]).toMatchObject({ actor: "mcp", instance, task_id, detail: command, background: true });
  },
);
