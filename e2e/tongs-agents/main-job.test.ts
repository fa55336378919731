import { afterEach, expect, it } from "vitest";
import { createWorld, until, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

it("T-17 T-18 T-21 T-32 an agent starts another, prompts it and the other reads exactly that", async () => {
  world = createWorld();
  world.writeConfig(`[control]\nmcp_enabled = true\n${world.leadProfile()}${world.workerProfile()}`);
  const lead = await world.launch("lead");
  const client = await world.connect();
  await client.initialize();
  expect(await client.toolNames()).toHaveLength(9);
  const spawned = await client.call("agents_spawn", { profile: "worker" });
  expect(spawned).toMatchObject({ ok: true, profile: "worker", state: "running" });
  await until(
    () => world.workerBytes().length >= 0 && world.record(String(spawned["launch_id"])).state === "claimed",
    5_000,
    "claim",
  );
  const sent = await client.call("agents_send", { launch_id: spawned["launch_id"], text: "héllo 世界 ;" });
  expect(sent).toMatchObject({ ok: true, delivery: { landed: true, submitted: null, turn_started: null } });
  await until(() => world.workerBytes().includes("\r"), 5_000, "Enter");
  expect(world.workerBytes().toString()).toBe("\u001b[200~héllo 世界 ;\u001b[201~\r");
  const actors = world
    .auditLines()
    .map((line) => [line["actor"], line["action"], line["outcome"], line["target"]]);
  expect(actors).toEqual([
    ["cli:root", "spawn", "ok", lead],
    [`mcp:${lead}`, "spawn", "ok", spawned["launch_id"]],
    [`mcp:${lead}`, "send", "ok", spawned["launch_id"]],
  ]);
  client.close();
});
