import { afterEach, describe, it, vi } from "vitest";
import { type AgentWorld, createAgentWorld } from "./agent-world.ts";
import { sendMany } from "./many-sends.ts";
import { isInstalled } from "./real-agents.ts";
import { until } from "./world.ts";

const count = Number(process.env["AGENT_SENDS"] ?? 10);
vi.setConfig({ testTimeout: 60_000 + count * 10_000 });

let world: AgentWorld;
afterEach(() => world.close());

describe.each((["codex", "opencode", "pi"] as const).filter(isInstalled))("%s", (agent) => {
  it(`T-18 T-20 ${count} sends: what turn_started says is what the model saw, each text once`, async () => {
    world = await createAgentWorld(agent);
    const worker = await world.launch("worker");
    await sendMany(world, worker, { count, turnOver: (turns) => turnOver(worker, turns) });
  });
});

/** So that no prompt meets a running turn. */
async function turnOver(worker: string, turns: number): Promise<void> {
  const answered = () => world.model.requests().filter(({ side, state }) => !side && state === "sent");
  await until(() => answered().length >= turns, 20_000, `turn ${turns} is answered`);
  await world.becomes(worker, "done");
}
