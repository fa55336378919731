import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentEnvironment,
  type ClaudeHomeOptions,
  claudeBinary,
  type FakeModel,
  prepareClaudeHome,
  startFakeModel,
} from "../src/index.ts";

/** The Claude Code that the end-to-end tests pin. */
export const claude = claudeBinary(new URL("../../../e2e/tongs-agents/package.json", import.meta.url));

/** A fake model and, under one temporary directory, a git repository and a home for Claude Code. */
export interface ClaudeRoom {
  readonly directory: string;
  readonly projectDir: string;
  readonly model: FakeModel;
  readonly env: AgentEnvironment;
  close(): Promise<void>;
}

export async function makeClaudeRoom(
  options: Pick<ClaudeHomeOptions, "mcpServers" | "settings"> = {},
): Promise<ClaudeRoom> {
  const directory = mkdtempSync(join(tmpdir(), "fake-model-"));
  const projectDir = join(directory, "project");
  mkdirSync(projectDir);
  execFileSync("git", ["init", "--quiet", projectDir]);
  const model = await startFakeModel();
  const env = prepareClaudeHome({ home: join(directory, "home"), projectDir, url: model.url, ...options });
  return {
    directory,
    projectDir,
    model,
    env,
    async close() {
      await model.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Runs `claude -p PROMPT --output-format json …` to its end. */
export function runClaude(
  room: ClaudeRoom,
  prompt: string,
  args: readonly string[] = [],
): Promise<{ exitCode: number | null; answer: Record<string, unknown> }> {
  const child = spawn(claude, ["-p", prompt, "--output-format", "json", ...args], {
    cwd: room.projectDir,
    env: room.env,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 50_000,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, answer: JSON.parse(output) }));
  });
}
