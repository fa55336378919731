import { expect } from "vitest";
import type { TestClient } from "../shared/test-client.ts";
import { type AgentShell, createAgentShell } from "./agent-shell.ts";
import { createWorld, until, type World } from "./world.ts";

/** A world with a calling agent, its MCP client, and a worker that it spawned. */
export interface Stage {
  readonly world: World;
  readonly shell: AgentShell;
  readonly client: TestClient;
  /** Launch id of the calling agent. */
  readonly lead: string;
  /** Launch id of the worker, which records every byte that it reads. */
  readonly worker: string;
}

/** Every control switch that a stage needs; a test adds its own keys below it. */
export const controlOn = "[control]\nmcp_enabled = true\n";

/** Sets the stage; `more` is the rest of the config, `control` the keys of `[control]` beside `mcp_enabled`. */
export async function createStage(
  options: { readonly control?: string; readonly more?: string; readonly world?: World } = {},
): Promise<Stage> {
  const world = options.world ?? createWorld();
  const shell = createAgentShell(world, "lead");
  const profiles = shell.toml + world.workerProfile() + (options.more ?? "");
  world.writeConfig(`${controlOn}${options.control ?? ""}\n${profiles}`);
  const lead = await world.launch("lead");
  const client = await shell.connect();
  await client.initialize();
  const worker = await spawnWorker(world, client);
  return { world, shell, client, lead, worker };
}

/** Spawns a profile made by `world.workerProfile`; returns its launch id once it reads its terminal. */
export async function spawnWorker(world: World, client: TestClient, profile = "worker"): Promise<string> {
  const spawned = await client.call("agents_spawn", { profile });
  expect(spawned).toMatchObject({ ok: true, state: "running" });
  await untilReading(world, profile);
  return String(spawned["launch_id"]);
}

/** Waits until the worker of this profile reads its terminal. */
export async function untilReading(world: World, profile = "worker"): Promise<void> {
  await until(() => world.isReading(profile), 10_000, `${profile} reads its terminal`);
}

/**
 * Expects that the reply is a refusal (exit code 5) of this code with one sentence, that the newest audit line says
 * the same of the same action, and that the worker has read nothing.
 */
export function expectRefused(
  world: World,
  reply: Readonly<Record<string, unknown>>,
  expected: { readonly code: string; readonly action: string },
): void {
  expect(reply).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: expected.code });
  expect(reply["error"]).toMatch(/^[^\n]+[.!?]$/);
  expect(world.auditLines().at(-1)).toMatchObject({
    action: expected.action,
    outcome: "refused",
    exit_code: 5,
  });
  expect(world.workerBytes().toString()).toBe("");
}
