// How install and doctor find and edit the configuration of agent CLIs. Apart from index.ts, so that a hook program,
// which starts at every event, loads no parser.
export { type AgentFile, readAgentFile, replaceAgentFile } from "./agent-file.ts";
export {
  type AgentId,
  type AgentRegistration,
  agentRegistration,
  serverFile,
} from "./agent-registration.ts";
export {
  type ClaudeChanges,
  type ClaudePorts,
  registerWithClaude,
  unregisterFromClaude,
} from "./claude-registration.ts";
export { type ClaudeServer, claudeServer } from "./claude-server.ts";
export { codexServer } from "./codex-server.ts";
export { codexEventKey, trustedCodexEvents } from "./codex-trust.ts";
export { commandLine } from "./command-line.ts";
export { findProgram, isExecutable, lookThrough } from "./find-program.ts";
export type { AgentPlace, ManagedFile } from "./managed-file.ts";
export { opencodeEntry } from "./opencode-server.ts";
export { type ServerEntry, tongsServer } from "./own-server.ts";
export { type StableProgram, stableProgram } from "./stable-program.ts";
export { applyEdits, type Edited, type TextEdit } from "./text-edit.ts";
