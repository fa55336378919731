import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, vi } from "vitest";
import { type ClaudeWorld, claudeIt, createClaudeWorld, unwrapped } from "./claude-world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: ClaudeWorld;
afterEach(() => world.close());

claudeIt(
  "C-27 T-17 T-18 T-21 T-22 T-32 one Claude Code starts another, has it write a file, waits for it and tells its state",
  async () => {
    world = await createClaudeWorld();
    world.writeProfiles(world.claudeProfile("lead"), world.claudeProfile("worker"));
    const lead = await world.launch("lead");
    const file = join(world.projectDirectory, "note.txt");
    const task = `[[call Write ${JSON.stringify({ file_path: file, content: "made by the worker" })}]][[say written]]`;
    const worker = "{{results.0.launch_id}}";
    const script = [
      '[[call agents_spawn {"profile":"worker"}]]',
      `[[call agents_send ${JSON.stringify({ launch_id: worker, text: task })}]]`,
      `[[call agents_wait ${JSON.stringify({ launch_id: worker, timeout_s: 30 })}]]`,
      `[[call agents_status ${JSON.stringify({ launch_id: worker })}]]`,
      "[[say the worker is {{result.state}}]]",
    ].join("\n");

    const sent = await world.send(lead, script);
    expect(sent).toMatchObject({ ok: true, delivery: { submitted: true, turn_started: true } });
    await world.shows(lead, /● the worker is done/);
    expect(readFileSync(file, "utf8")).toBe("made by the worker");

    const [spawned, delivered, waited, status] = replies(script);
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
  },
);

claudeIt("C-27 T-19 T-21 T-22 an agent cannot answer another one's permission dialog", async () => {
  world = await createClaudeWorld();
  world.writeProfiles(world.claudeProfile("lead"), world.claudeProfile("worker"));
  const lead = await world.launch("lead");
  const file = join(world.projectDirectory, "asked");
  const call = JSON.stringify({ command: `touch ${file}`, description: "make a file" });
  const worker = "{{results.0.launch_id}}";
  const script = [
    '[[call agents_spawn {"profile":"worker"}]]',
    `[[call agents_send ${JSON.stringify({ launch_id: worker, text: `[[call Bash ${call}]]` })}]]`,
    `[[call agents_wait ${JSON.stringify({ launch_id: worker, until: "waiting", timeout_s: 30 })}]]`,
    `[[call agents_send ${JSON.stringify({ launch_id: worker, text: "yes" })}]]`,
    `[[call agents_status ${JSON.stringify({ launch_id: worker })}]]`,
    "[[say the worker is {{result.state}}]]",
  ].join("\n");
  await world.send(lead, script);
  await world.shows(lead, /● the worker is waiting/);

  const [spawned, , waited, refused, status] = replies(script);
  expect(waited).toMatchObject({ ok: true, state: "waiting", detail: "permission" });
  expect(refused).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: "dialog-open" });
  expect(status).toMatchObject({ ok: true, state: "waiting", detail: "permission" });
  const id = String(spawned?.["launch_id"]);
  expect(world.screen(id)).toMatch(/Do you want to proceed\?[\s\S]*❯ 1\. Yes/);
  expect(existsSync(file)).toBe(false);
  expect(story().slice(3)).toEqual([
    [`mcp:${lead}`, "send", "ok", id],
    [`mcp:${lead}`, "wait", "ok", id],
    [`mcp:${lead}`, "send", "refused", id],
    [`mcp:${lead}`, "status", "ok", id],
  ]);
});

/** What the tools answered to the lead, as its model got it. */
function replies(prompt: string): Record<string, unknown>[] {
  const ofLead = world.model.requests().filter(({ userText }) => unwrapped(userText) === prompt);
  return (ofLead.at(-1)?.toolResults ?? []).map((text) => JSON.parse(text) as Record<string, unknown>);
}

function story(): unknown[] {
  return world.auditLines().map((line) => [line["actor"], line["action"], line["outcome"], line["target"]]);
}
