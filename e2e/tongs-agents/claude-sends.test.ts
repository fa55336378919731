import { afterEach, vi } from "vitest";
import { type ClaudeWorld, claudeIt, createClaudeWorld } from "./claude-world.ts";
import { sendMany } from "./many-sends.ts";
import { until } from "./world.ts";

const count = Number(process.env["CLAUDE_SENDS"] ?? 60);
vi.setConfig({ testTimeout: 60_000 + count * 10_000 });

let world: ClaudeWorld;
afterEach(() => world?.close());

claudeIt(
  `T-18 T-20 ${count} sends: what turn_started says is what the model saw, each text once`,
  async () => {
    world = await createClaudeWorld();
    world.writeProfiles(world.claudeProfile("agent"));
    const agent = await world.launch("agent");
    await world.shows(agent, /\? for shortcuts/);
    const turnOver = (turns: number) => until(() => isOver(agent, turns), 20_000, `turn ${turns} is over`);
    await sendMany(world, agent, { count, turnOver });
  },
);

/** So that no prompt meets a running turn: every turn so far is answered, and hook and screen say so too. */
function isOver(agent: string, turns: number): boolean {
  const answered = world.model.requests().filter(({ side, state }) => !side && state === "sent");
  const isDone = world.statusRecords(agent)[0]?.["status"] === "done";
  return answered.length >= turns && isDone && !world.screen(agent).includes("esc to interrupt");
}
