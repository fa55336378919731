import { expect, it } from "vitest";
import { agentProgram, harnesses, harnessOf } from "../src/index.ts";

it.each([
  [["claude"], "claude"],
  [["/opt/my tools/claude", "--model", "opus"], "claude"],
  [["claude.exe"], "claude"],
  [["node", "/x/claude"], "claude"],
  [["node", "--max-old-space-size=4096", "-r", "/x/codex.js", "/x/claude.mjs"], "claude"],
  [["node", "/x/node_modules/@anthropic-ai/claude-code/cli.js"], "claude"],
  [["/usr/bin/env", "-u", "codex", "X=1", "PATH=/codex", "claude"], "claude"],
  [["env", "-i", "--", "A=b", "claude"], "claude"],
  [["env", "X=1", "node", "/x/claude"], "claude"],
  [["npx", "claude"], "claude"],
  [["npx", "-y", "@anthropic-ai/claude-code@latest", "--resume"], "claude"],
  [["pnpm", "dlx", "opencode-ai"], "opencode"],
  [["bun", "run", "/x/pi.js"], "pi"],
  [["bunx", "@openai/codex@0.171.0"], "codex"],
  [["pi"], "pi"],
  [["node", "/x/node_modules/@mariozechner/pi-coding-agent/dist/cli.js"], "pi"],
  [["bash", "-c", "claude"], "none"],
  [["claude-wrapper"], "none"],
  [["vim", "claude"], "none"],
  [["node"], "none"],
  [["env", "A=1"], "none"],
  [["constructor"], "none"],
  [[""], "none"],
  [[], "none"],
] as const)("auto takes %j for %s", (argv, id) => {
  expect(harnessOf("auto", argv).id).toBe(id);
});

it.each([
  [["claude", "-p", "x"], "claude", false],
  [["/opt/my tools/claude"], "claude", false],
  [["claude", "", "", ""], "claude", false],
  [["node", "--import", "/x/codex.js", "/x/claude.mjs"], "claude", true],
  [["node", "/x/node_modules/@openai/codex/bin/codex.js"], "codex", true],
  [["/x/node_modules/@openai/codex-linux-x64/vendor/bin/codex"], "codex", false],
] as const)("T-42 sees that %j is the agent CLI %s itself", (argv, harness, isScript) => {
  expect(agentProgram(argv)).toEqual({ harness, isScript });
});

it.each([
  [["npx", "claude"]],
  [["npm exec @anthropic-ai/claude-code", "", ""]],
  [["node", "/usr/bin/npx", "-y", "claude"]],
  [["node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "claude"]],
  [["/usr/bin/env", "claude"]],
  [["sh", "-c", "claude"]],
  [["node"]],
  [[]],
] as const)("T-42 sees that %j only runs one", (argv) => {
  expect(agentProgram(argv)).toBeUndefined();
});

it("a profile's own word wins over its argv", () => {
  expect(harnessOf("none", ["claude"]).id).toBe("none");
  expect(harnessOf("codex", ["/bin/sh"]).id).toBe("codex");
});

it("each harness stands under its own id and knows programs that no other one knows", () => {
  for (const [id, harness] of Object.entries(harnesses)) expect(harness.id).toBe(id);
  const programs = Object.values(harnesses).flatMap((harness) => harness.programs);
  expect(new Set(programs).size).toBe(programs.length);
});
