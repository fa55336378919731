import { basename } from "node:path";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import type { Harness, HarnessId } from "./harness.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { plain } from "./plain.ts";

/** Every harness by its id. */
export const harnesses: Readonly<Record<HarnessId, Harness>> = { claude, codex, pi, opencode, none: plain };

/**
 * The harness of a profile: the one it names, or for "auto" the one its argv runs: `claude`, `/opt/bin/claude`,
 * `env X=1 claude`, `npx -y @anthropic-ai/claude-code@latest`, `node …/claude-code/cli.js`. Unknown: `none`.
 */
export function harnessOf(profileHarness: HarnessId | "auto", argv: readonly string[]): Harness {
  if (profileHarness !== "auto") return harnesses[profileHarness];
  const names = programNames(argv);
  return (
    Object.values(harnesses).find(({ programs }) => names.some((name) => programs.includes(name))) ?? plain
  );
}

/** The agent CLI that a process is by its own argv, unlike `harnessOf` not one that a runner such as npx starts. */
export interface AgentProgram {
  readonly harness: HarnessId;
  /** Run by an interpreter, as the npm packages of native programs start those. */
  readonly isScript: boolean;
}

/** Undefined for every other process. */
export function agentProgram(argv: readonly string[]): AgentProgram | undefined {
  const [program = "", ...rest] = argv;
  const interpreter = interpreters.get(bareName(program));
  const own = interpreter ? afterOptions(rest, interpreter)[0] : withoutTitle(program);
  if (own === undefined) return undefined;
  const names = [bareName(own), packageName(own)];
  const harness = Object.values(harnesses).find(({ programs }) =>
    names.some((name) => programs.includes(name)),
  );
  return harness && { harness: harness.id, isScript: interpreter !== undefined };
}

// A program may write a sentence over its argv: `npm exec @anthropic-ai/claude-code`.
function withoutTitle(program: string): string {
  return /^[./]/.test(program) ? program : (program.split(" ")[0] ?? "");
}

// What a program name says about the words after it. Options that take a value as a word of their own are listed.
interface Wrapper {
  readonly valueOptions: readonly string[];
  readonly assignments?: true;
  readonly verbs?: readonly string[];
}
const node: Wrapper = { valueOptions: ["-r", "--require", "--import", "--loader", "-C", "--conditions"] };
const interpreters: ReadonlyMap<string, Wrapper> = new Map([
  ["node", node],
  ["bun", node],
]);
const runner: Wrapper = { valueOptions: ["-p", "--package", "-c", "--call"] };
const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ["env", { valueOptions: ["-u", "--unset", "-C", "--chdir"], assignments: true }],
  ["node", node],
  ["bun", { ...node, verbs: ["run", "x"] }],
  ["npx", runner],
  ["bunx", runner],
  ["pnpx", runner],
  ["pnpm", { ...runner, verbs: ["dlx", "exec"] }],
]);

function programNames(argv: readonly string[]): string[] {
  const [program = "", ...rest] = argv;
  const wrapper = wrappers.get(bareName(program));
  return wrapper ? programNames(afterOptions(rest, wrapper)) : [bareName(program), packageName(program)];
}

function afterOptions(words: readonly string[], wrapper: Wrapper): readonly string[] {
  const [word = "", ...rest] = words;
  if (wrapper.valueOptions.includes(word)) return afterOptions(rest.slice(1), wrapper);
  const isSkipped = word.startsWith("-") || (wrapper.assignments && word.includes("="));
  if (isSkipped || wrapper.verbs?.includes(word)) return afterOptions(rest, wrapper);
  return words;
}

/** "claude" of "/opt/claude.exe", "claude-code" of "@anthropic-ai/claude-code@2.1.0". */
function bareName(program: string): string {
  return basename(program)
    .replace(/(?<=.)@.*$/, "")
    .replace(/\.(?:js|mjs|cjs|exe|cmd)$/, "");
}

/** The npm package a script lies in: "claude-code" of "…/node_modules/@anthropic-ai/claude-code/cli.js". */
function packageName(script: string): string {
  return /.*node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(script)?.[1] ?? "";
}
