import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AgentWorld, createAgentWorld } from "./agent-world.ts";
import { isInstalled } from "./real-agents.ts";

vi.setConfig({ testTimeout: 120_000 });

const callers = [
  {
    agent: "codex",
    writing: (file: string) =>
      `exec_command ${JSON.stringify({ cmd: `printf 'made by the worker' > ${file}` })}`,
  },
  {
    agent: "opencode",
    writing: (file: string) => `write ${JSON.stringify({ filePath: file, content: "made by the worker" })}`,
  },
] as const;

let world: AgentWorld;
afterEach(() => world.close());

describe.each(callers.filter(({ agent }) => isInstalled(agent)))(
  "as a caller, $agent",
  ({ agent, writing }) => {
    it("C-27 T-17 T-18 T-21 T-22 T-32 starts another, has it write a file, waits for it and tells its state", async () => {
      world = await createAgentWorld(agent, { server: "approved" });
      const lead = await world.launch("lead");
      const file = join(world.projectDirectory, "note.txt");
      const script = driving(`[[call ${writing(file)}]][[say written]]`);

      const sent = await world.send(lead, script);
      expect(sent).toMatchObject({ ok: true, delivery: { submitted: true, turn_started: true } });
      // Its send alone may wait half a minute for the worker to be ready.
      await world.model.waitForRequest(({ toolResults }) => toolResults.length === 4, 90_000);
      await world.shows(lead, /the worker is done/);
      expect(readFileSync(file, "utf8")).toBe("made by the worker");

      const [spawned, delivered, waited, status] = world.toolReplies(script);
      expect(spawned).toMatchObject({ ok: true, profile: "worker", state: "running" });
      const id = spawned?.["launch_id"];
      expect(delivered).toMatchObject({ ok: true, launch_id: id, delivery: { turn_started: true } });
      expect(waited).toMatchObject({ ok: true, state: "done", turn_started: true });
      expect(status).toMatchObject({ ok: true, state: "done", source: "hook" });
      expect(story()).toEqual([
        ["cli:root", "spawn", "ok", lead],
        ["cli:root", "send", "ok", lead],
        [`mcp:${lead}`, "spawn", "ok", id],
        [`mcp:${lead}`, "send", "ok", id],
        [`mcp:${lead}`, "wait", "ok", id],
        [`mcp:${lead}`, "status", "ok", id],
      ]);
    });
  },
);

it.skipIf(!isInstalled("codex"))(
  "C-27 T-19 T-21 Codex asks its person before it starts another; no send answers that, the person does",
  async () => {
    world = await createAgentWorld("codex", { server: "asks" });
    const lead = await world.launch("lead");
    const script = '[[call agents_spawn {"profile":"worker"}]][[say the worker is {{result.state}}]]';
    await world.send(lead, script);
    await world.shows(lead, /Allow the tongs-agents MCP server to run tool/);
    expect(await world.becomes(lead, "waiting")).toMatchObject({ detail: "permission" });

    const before = world.screen(lead);
    const refused = await world.send(lead, "yes");
    expect(refused).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: "dialog-open" });
    expect(refused).toHaveProperty(
      "details.screen_text",
      expect.stringContaining("Allow the tongs-agents MCP server"),
    );
    expect(refused.error).toContain("permission dialog");
    expect(world.screen(lead)).toBe(before);
    expect(story().filter(([actor]) => actor === `mcp:${lead}`)).toEqual([]);

    world.press(lead, "Enter");
    await world.shows(lead, /the worker is running/);
    await world.becomes(lead, "done");
    const [spawned] = world.toolReplies(script);
    expect(spawned).toMatchObject({ ok: true, state: "running" });
    expect(story()).toContainEqual([`mcp:${lead}`, "spawn", "ok", spawned?.["launch_id"]]);
    expect(world.prompts()).toEqual([script]);
  },
);

function driving(task: string): string {
  const worker = "{{results.0.launch_id}}";
  return [
    '[[call agents_spawn {"profile":"worker"}]]',
    `[[call agents_send ${JSON.stringify({ launch_id: worker, text: task })}]]`,
    `[[call agents_wait ${JSON.stringify({ launch_id: worker, timeout_s: 30 })}]]`,
    `[[call agents_status ${JSON.stringify({ launch_id: worker })}]]`,
    "[[say the worker is {{result.state}}]]",
  ].join("\n");
}

function story(): unknown[] {
  return world.auditLines().map((line) => [line["actor"], line["action"], line["outcome"], line["target"]]);
}
