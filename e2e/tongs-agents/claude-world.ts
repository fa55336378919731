import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { claudeBinary, type FakeModel, prepareClaudeHome, startFakeModel } from "@agent-control/fake-model";
import { harnesses, hookSettings, shellQuote } from "@agent-control/harness";
import { it } from "vitest";
import { createWorld, program, until, type World } from "./world.ts";

/** The real Claude Code; undefined on a developer's machine without it. A missing one fails where CI is set. */
export const claude = installedClaude();

/** A test that needs the real Claude Code. */
export const claudeIt = it.skipIf(claude === undefined);

/** What `tongs-agents send --json` and agents_send answer. */
export interface Reply {
  readonly ok: boolean;
  readonly code?: string;
  readonly error?: string;
  readonly delivery?: {
    readonly submitted: boolean | null;
    readonly turn_started: boolean | null;
    readonly prior_turn?: string;
    readonly evidence: string;
  };
  readonly [key: string]: unknown;
}

/** A world in which profiles run the real Claude Code, with our hooks and MCP entry, against a scripted model. */
export interface ClaudeWorld extends World {
  readonly model: FakeModel;
  /** The one directory that Claude Code trusts. */
  readonly projectDirectory: string;
  /** A config profile that runs Claude Code; `lines` are added to it. */
  claudeProfile(name: string, lines?: string): string;
  /** Writes the profiles with control switched on. */
  writeProfiles(...profiles: readonly string[]): void;
  /** Runs a verb with --json; resolves to what it printed. */
  answer(...words: readonly string[]): Promise<Reply>;
  /** Sends the text as a person does with `tongs-agents send`. */
  send(launchId: string, text: string): Promise<Reply>;
  /** The visible lines of the launch's pane. */
  screen(launchId: string): string;
  /** Waits until the pane of the launch shows the pattern. */
  shows(launchId: string, pattern: RegExp): Promise<void>;
  /** Presses keys in the launch's pane, as its person. */
  press(launchId: string, ...keys: readonly string[]): void;
  /** Texts of the prompts that started a model turn, in order. */
  prompts(): string[];
}

export interface ClaudeWorldOptions {
  /** What Claude Code may do without asking. */
  readonly allow?: readonly string[];
}

export async function createClaudeWorld(options: ClaudeWorldOptions = {}): Promise<ClaudeWorld> {
  const world = createWorld();
  const model = await startFakeModel();
  const projectDirectory = join(world.root, "project");
  mkdirSync(projectDirectory);
  execFileSync("git", ["init", "--quiet", projectDirectory]);
  const env = prepareClaudeHome({
    home: world.env["HOME"] ?? "",
    projectDir: projectDirectory,
    url: model.url,
    mcpServers: { "tongs-agents": { type: "stdio", command: process.execPath, args: [program, "mcp"] } },
    settings: {
      permissions: { allow: options.allow ?? ["Write", "mcp__tongs-agents"] },
      ...hookSettings(harnesses.claude, hookCommand),
    },
  });
  const target = (launchId: string) => String(world.record(launchId).pane_id);
  const self: ClaudeWorld = {
    ...world,
    model,
    projectDirectory,
    claudeProfile: (name, lines = "") => profileToml(name, { env, projectDirectory, lines }),
    writeProfiles: (...profiles) =>
      world.writeConfig(`[control]\nmcp_enabled = true\n${profiles.join("\n")}`),
    answer: async (...words) => {
      const ran = await world.cli([...words, "--json"]);
      return JSON.parse(ran.stdout) as Reply;
    },
    send: async (launchId, text) => {
      const ran = await world.cli(["send", launchId, "-", "--json"], { input: text });
      return JSON.parse(ran.stdout) as Reply;
    },
    screen: (launchId) => world.tmux("capture-pane", "-p", "-t", target(launchId)),
    shows: (launchId, pattern) => showsWithin(self, launchId, pattern),
    press: (launchId, ...keys) => void world.tmux("send-keys", "-t", target(launchId), ...keys),
    prompts: () =>
      model
        .requests()
        .filter((request) => !request.side && request.toolResults.length === 0)
        .map(({ userText }) => unwrapped(userText)),
    close: () => close(world, model),
  };
  return self;
}

/** The text as it was pasted: Claude Code marks a long paste as such for its model. */
export function unwrapped(prompt: string): string {
  return /^<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">$/.exec(prompt)?.[2] ?? prompt;
}

function installedClaude(): string | undefined {
  try {
    return claudeBinary(import.meta.url);
  } catch (error) {
    if (process.env["CI"]) throw error;
    console.warn(`Skipped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function hookCommand(event: string): string {
  return [process.execPath, program, "hook", event, "--agent", "claude"].map(shellQuote).join(" ");
}

function profileToml(
  name: string,
  profile: {
    readonly env: Readonly<Record<string, string>>;
    readonly projectDirectory: string;
    readonly lines: string;
  },
): string {
  const env = Object.entries(profile.env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [
    `[profiles.${name}]`,
    `command = ${JSON.stringify([claude])}`,
    "mcp_control = true",
    profile.lines.includes("cwd") ? "" : `cwd = ${JSON.stringify(profile.projectDirectory)}`,
    profile.lines,
    `[profiles.${name}.env]`,
    ...env,
    "",
  ].join("\n");
}

async function showsWithin(world: ClaudeWorld, launchId: string, pattern: RegExp): Promise<void> {
  try {
    await until(() => pattern.test(world.screen(launchId)), 20_000, `the pane shows ${pattern}`);
  } catch (error) {
    throw new Error(`It shows instead:\n${world.screen(launchId)}`, { cause: error });
  }
}

/** Claude Code writes to its home on the way out, so its processes must be gone before the files are removed. */
async function close(world: World, model: FakeModel): Promise<void> {
  const pids = existsSync(world.socket)
    ? world.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number)
    : [];
  if (pids.length > 0) world.tmux("kill-server");
  await until(() => pids.every(isGone), 20_000, "the agents are gone");
  await model.close();
  await world.close();
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
