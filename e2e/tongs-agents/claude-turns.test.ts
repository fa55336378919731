import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type ClaudeWorld, claude, claudeIt, createClaudeWorld } from "./claude-world.ts";
import { until } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: ClaudeWorld;
let agent: string;
beforeEach(async () => {
  world = await createClaudeWorld({ allow: ["Bash"] });
  world.writeProfiles(world.claudeProfile("agent"));
  agent = await world.launch("agent");
});
afterEach(() => world?.close());

claudeIt("T-39 a pasted !command runs, and whether a turn began is not claimed", async () => {
  const file = join(world.projectDirectory, "made");
  const sent = await world.send(agent, `!touch ${file}`);
  expect(sent).toMatchObject({ ok: true, delivery: { submitted: true, turn_started: null } });
  await until(() => existsSync(file), 10_000, "the command ran");
});

claudeIt("T-39 a pasted /permissions opens its menu, which then counts as waiting", async () => {
  const sent = await world.send(agent, "/permissions");
  expect(sent).toMatchObject({ ok: true, delivery: { landed: true, turn_started: null } });
  await world.shows(agent, /Permissions/);
  expect(await world.answer("agent-status", agent)).toMatchObject({ state: "waiting", source: "screen" });
  expect(world.prompts()).toEqual([]);
});

claudeIt("T-18 a prompt during a turn is queued, and both reach the model in order", async () => {
  const held = "[[hold gate]][[say first]]";
  expect(await world.send(agent, held)).toMatchObject({ delivery: { turn_started: true } });
  await world.model.waitForRequest(({ userText }) => userText === held, 10_000);
  expect(await world.answer("agent-status", agent)).toMatchObject({ state: "working" });
  const queued = await world.send(agent, "[[say second]]");
  expect(queued).toMatchObject({
    ok: true,
    delivery: { submitted: true, turn_started: null, prior_turn: "queued" },
  });
  expect(world.prompts()).toEqual([held]);

  world.model.release("gate");
  await world.shows(agent, /● second/);
  expect(world.prompts()).toEqual([held, "[[say second]]"]);
  expect(await world.answer("wait", agent)).toMatchObject({ ok: true, state: "done" });
});

claudeIt('T-18 mcp_send_while_working = "refuse" refuses a prompt during a turn', async () => {
  world.writeProfiles(world.claudeProfile("agent", 'mcp_send_while_working = "refuse"'));
  await world.send(agent, "[[hold gate]][[say first]]");
  expect(await world.send(agent, "[[say second]]")).toMatchObject({
    outcome: "refused",
    code: "turn-running",
  });
  world.model.release("gate");
  await world.shows(agent, /● first/);
  expect(world.prompts()).toHaveLength(1);
});

claudeIt("T-21 an Escape during a turn leaves no working agent behind", async () => {
  await world.send(agent, "[[hold gate]][[say never]]");
  await world.model.waitForRequest(({ side }) => !side, 10_000);
  world.press(agent, "Escape");
  await world.model.waitForRequest(({ state }) => state === "aborted", 10_000);
  expect(await world.answer("wait", agent, "--timeout", "20")).toMatchObject({
    state: "done",
    source: "screen",
  });
  // Claude Code puts the interrupted prompt back into its box, where it is the person's again.
  expect(await world.send(agent, "[[say next]]")).toMatchObject({ code: "person-typing" });
  world.press(agent, "C-u");
  await world.shows(agent, /❯\s*\n─+\n/);
  expect(await world.send(agent, "[[say next]]")).toMatchObject({ delivery: { turn_started: true } });
  await world.shows(agent, /● next/);
});

claudeIt("T-42 a nested claude -p that ends leaves its parent working", async () => {
  const parent = "[[call Bash INPUT]][[hold gate]][[say parent done]]".replace(
    "INPUT",
    JSON.stringify({
      command: `${claude} -p 'nested [[say nested done]]' > nested.txt </dev/null`,
      description: "ask",
    }),
  );
  await world.send(agent, parent);
  const after = await world.model.waitForRequest(({ toolResults }) => toolResults.length === 1, 30_000);
  expect(after.toolResults).toHaveLength(1);
  expect(readFileSync(join(world.projectDirectory, "nested.txt"), "utf8")).toBe("nested done\n");
  expect(await world.answer("agent-status", agent)).toMatchObject({ state: "working" });
  expect(world.statusRecords(agent)).toMatchObject([{ status: "working" }]);
  world.model.release("gate");
  expect(await world.answer("wait", agent)).toMatchObject({ state: "done" });
});

claudeIt(
  "T-21 T-22 a turn that ends in an API error is the state error, and a wait says so at once",
  async () => {
    await world.send(agent, "[[fail 400]]");
    const started = performance.now();
    expect(await world.answer("wait", agent, "--timeout", "60")).toMatchObject({
      ok: false,
      outcome: "error",
      exit_code: 1,
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await world.answer("agent-status", agent)).toMatchObject({ state: "error", source: "hook" });
    expect(await world.send(agent, "[[say fine again]]")).toMatchObject({ delivery: { turn_started: true } });
    expect(await world.answer("wait", agent)).toMatchObject({ ok: true, state: "done" });
  },
);
