import { claudeHooks, readClaudeHook } from "./claude-hooks.ts";
import { readClaudeScreen } from "./claude-screen.ts";
import type { Harness } from "./harness.ts";

/** Claude Code. */
export const claude: Harness = {
  id: "claude",
  title: "Claude Code",
  programs: ["claude", "claude-code"],
  reportsStatus: true,
  readiness: "hook",
  midTurn: "queued",
  settleMs: 100,
  readyDelayMs: 0,
  bracketedPaste: true,
  commandPrefixes: ["/", "!"],
  hooks: claudeHooks,
  readScreen: readClaudeScreen,
  readHook: readClaudeHook,
};
