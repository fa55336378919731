// How install and doctor find and edit the configuration of agent CLIs. Apart from index.ts, so that a hook program,
// which starts at every event, loads no parser.
export { type AgentId, type AgentRegistration, agentRegistration } from "./agent-registration.ts";
export { type ClaudeServer, claudeServer } from "./claude-server.ts";
export { codexServer } from "./codex-server.ts";
export { codexEventKey, trustedCodexEvents } from "./codex-trust.ts";
export type { AgentPlace, ManagedFile } from "./managed-file.ts";
export { opencodeEntry } from "./opencode-server.ts";
export { foreignServer, serverArgv, serverName } from "./own-server.ts";
export { applyEdits, type Edited, type TextEdit } from "./text-edit.ts";
