import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asClaude } from "../../tools/scripted-agent/scripted-agent.mjs";
import type { TestClient } from "../shared/test-client.ts";
import { program, until, type World } from "./world.ts";

const tongsAgents = [process.execPath, program];

/** A config profile of the scripted agent, which looks and reports like Claude Code; see tools/scripted-agent. */
export function scriptedProfile(world: World, name: string, options = "mcp_control = true"): string {
  return profileToml(name, asClaude(join(world.root, `bin-${name}`), tongsAgents), options);
}

/** A config profile of an agent with Claude Code's empty prompt box that records what it reads as a worker does. */
export function recorderProfile(world: World, name: string, options = "mcp_control = true"): string {
  const argv = [process.execPath, world.script("boxed/claude.mjs"), world.workerFile(name), ...tongsAgents];
  return profileToml(name, argv, options);
}

/** A config profile with this argv. */
export function profileToml(name: string, argv: readonly string[], options = "mcp_control = true"): string {
  return `[profiles.${name}]\ncommand = ${JSON.stringify(argv)}\n${options}\n`;
}

/** Starts a profile of the scripted agent; returns its launch id once it stands at its prompt box. */
export async function spawnScripted(world: World, client: TestClient, profile: string): Promise<string> {
  const { launch_id } = await client.call("agents_spawn", { profile });
  await untilShown(world, String(launch_id), "? for shortcuts");
  return String(launch_id);
}

/** The visible screen of a launch's pane. */
export function screenOf(world: World, launchId: string): string {
  return world.tmux("capture-pane", "-p", "-t", paneOf(world, launchId));
}

/** The tmux pane id of a launch. */
export function paneOf(world: World, launchId: string): string {
  return String(world.record(launchId).pane_id);
}

/** Waits until the pane of a launch shows the text. */
export async function untilShown(world: World, launchId: string, text: string): Promise<void> {
  await until(() => screenOf(world, launchId).includes(text), 20_000, `the pane shows ${text}`);
}

/** Pids of the live children of a process. */
export function childrenOf(pid: number | undefined): number[] {
  const words = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return words.filter((word) => word !== "").map(Number);
}
