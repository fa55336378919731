export { allowsCodexDaemon, isCodexDaemon } from "./codex-daemon.ts";
export type {
  ActivityStatus,
  Harness,
  HarnessId,
  HookPoint,
  HookReading,
  ScreenReading,
  ScreenSeen,
} from "./harness.ts";
export { type AgentProgram, agentProgram, harnesses, harnessOf } from "./harness-of.ts";
export { type HookSettings, hookSettings } from "./hook-settings.ts";
export { shellQuote } from "./shell-quote.ts";
