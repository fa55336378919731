import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AgentEnvironment, type FakeModel, startFakeModel } from "@agent-control/fake-model";
import { agentRegistration, applyEdits } from "@agent-control/harness/setup";
import type { Reply } from "./claude-world.ts";
import { type RealAgentId, realAgents } from "./real-agents.ts";
import { createWorld, program, runProgram, until, type World } from "./world.ts";

export interface AgentWorldOptions {
  /** Registers the MCP server as `tongs-agents install` does: without or with `--approve`. */
  readonly server?: "asks" | "approved";
  /** Arguments of the agent CLI in the place of the usual ones. */
  readonly flags?: readonly string[];
}

/**
 * A world in which the profiles "lead" and "worker" run a real agent CLI, with our status reports, against a scripted
 * model.
 */
export interface AgentWorld extends World {
  readonly model: FakeModel;
  /** The repository in which the agents work, and which they trust. */
  readonly projectDirectory: string;
  /** A directory that the agent was never told to trust. */
  readonly strangeDirectory: string;
  /** Runs a verb with --json; resolves to what it printed. */
  answer(...words: readonly string[]): Promise<Reply>;
  /** Sends the text as a person does with `tongs-agents send`. */
  send(launchId: string, text: string): Promise<Reply>;
  /** The visible screen of the launch's pane. */
  screen(launchId: string): string;
  /** Waits until the pane of the launch shows the pattern. */
  shows(launchId: string, pattern: RegExp): Promise<void>;
  /** Waits until `agent-status` tells the state. */
  becomes(launchId: string, state: string): Promise<Reply>;
  /** Presses keys in the launch's pane, as its person. */
  press(launchId: string, ...keys: readonly string[]): void;
  /** Texts of the prompts that started a model turn, in order. */
  prompts(): string[];
  /** What the tools answered to the agent that got this prompt, as its model was told. */
  toolReplies(prompt: string): Record<string, unknown>[];
  /** Command lines of the processes that still run with this world's directories. */
  leftRunning(): string[];
}

export async function createAgentWorld(
  agent: RealAgentId,
  options: AgentWorldOptions = {},
): Promise<AgentWorld> {
  const world = createWorld();
  const model = await startFakeModel();
  const projectDirectory = repository(join(world.root, "project"));
  const strangeDirectory = repository(join(world.root, "strange"));
  const home = world.env["HOME"] ?? "";
  const env = realAgents[agent].prepare({ home, projectDir: projectDirectory, url: model.url });
  installEntries(agent, { ...options, home, env });
  const argv = [...realAgents[agent].argv(), ...(options.flags ?? realAgents[agent].flags)];
  const profile = (name: string, cwd: string) => profileToml(name, { argv, cwd, env });
  const profiles = [
    profile("lead", projectDirectory),
    profile("worker", projectDirectory),
    profile("stranger", strangeDirectory),
  ];
  world.writeConfig(`[control]\nmcp_enabled = true\n${profiles.join("")}`);
  const target = (launchId: string) => String(world.record(launchId).pane_id);
  const self: AgentWorld = {
    ...world,
    model,
    projectDirectory,
    strangeDirectory,
    answer: async (...words) => JSON.parse((await world.cli([...words, "--json"])).stdout) as Reply,
    send: async (launchId, text) =>
      JSON.parse((await world.cli(["send", launchId, "-", "--json"], { input: text })).stdout) as Reply,
    screen: (launchId) => world.tmux("capture-pane", "-p", "-t", target(launchId)),
    shows: (launchId, pattern) => showsWithin(self, launchId, pattern),
    async becomes(launchId, state) {
      let reply = await self.answer("agent-status", launchId);
      await until(
        async () => {
          reply = await self.answer("agent-status", launchId);
          return reply["state"] === state;
        },
        20_000,
        `the state is ${state}`,
      ).catch((error: unknown) => {
        throw new Error(`It says ${JSON.stringify(reply)} and shows\n${self.screen(launchId)}`, {
          cause: error,
        });
      });
      return reply;
    },
    press: (launchId, ...keys) => void world.tmux("send-keys", "-t", target(launchId), ...keys),
    prompts: () =>
      model
        .requests()
        .filter(({ side, toolResults }) => !side && toolResults.length === 0)
        .map(({ userText }) => userText),
    toolReplies: (prompt) =>
      (model.requests().findLast(({ userText }) => userText === prompt)?.toolResults ?? []).map(parsedReply),
    leftRunning: () => runningWith(world.root),
    close: () => close(world, model),
  };
  return self;
}

/** Codex writes above each reply how long it took. */
function parsedReply(text: string): Record<string, unknown> {
  return JSON.parse(text.slice(text.indexOf("{"))) as Record<string, unknown>;
}

function repository(directory: string): string {
  mkdirSync(directory);
  execFileSync("git", ["init", "--quiet", directory]);
  return directory;
}

const opencodePackage = '{"dependencies":{"@opencode-ai/plugin":"1"}}';

/** Writes what `tongs-agents install` writes where everything it looks for is there. */
function installEntries(
  agent: RealAgentId,
  options: AgentWorldOptions & { readonly home: string; readonly env: AgentEnvironment },
): void {
  const place = {
    home: options.home,
    env: options.env,
    program: [process.execPath, program],
    read: () => opencodePackage,
    approve: options.server === "approved",
  };
  const { files } = agentRegistration(agent, place);
  for (const file of files.filter(({ part }) => options.server || part === "status")) {
    mkdirSync(dirname(file.path), { recursive: true });
    const text = existsSync(file.path) ? readFileSync(file.path, "utf8") : "";
    writeFileSync(file.path, applyEdits(text, file.add(text)).text);
  }
}

function profileToml(
  name: string,
  profile: { readonly argv: readonly string[]; readonly cwd: string; readonly env: AgentEnvironment },
): string {
  return [
    `[profiles.${name}]`,
    `command = ${JSON.stringify(profile.argv)}`,
    "mcp_control = true",
    `cwd = ${JSON.stringify(profile.cwd)}`,
    `[profiles.${name}.env]`,
    ...Object.entries(profile.env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    "",
  ].join("\n");
}

async function showsWithin(world: AgentWorld, launchId: string, pattern: RegExp): Promise<void> {
  try {
    await until(() => pattern.test(world.screen(launchId)), 20_000, `the pane shows ${pattern}`);
  } catch (error) {
    throw new Error(`It shows instead:\n${world.screen(launchId)}`, { cause: error });
  }
}

/** Looks for the directory in the environment of every process: agents hand theirs to whatever they start. */
function runningWith(directory: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readProc(pid, "environ").includes(directory))
    .map((pid) => readProc(pid, "cmdline").replaceAll("\0", " "));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // It has ended, or is another user's.
  }
}

/** The agents write to their homes on the way out, so they must be gone before the files are removed. */
async function close(world: World, model: FakeModel): Promise<void> {
  await runProgram(["tmux", "-S", world.socket, "kill-server"], { env: world.env, input: "" });
  try {
    await until(() => runningWith(world.root).length === 0, 20_000, "the agents are gone");
  } catch (error) {
    throw new Error(`Still running: ${runningWith(world.root).join("\n")}`, { cause: error });
  } finally {
    await model.close();
    await world.close();
  }
}
