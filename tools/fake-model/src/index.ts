export type { AgentEnvironment, HomeOptions } from "./agent-home.ts";
export { type ClaudeHomeOptions, claudeBinary, prepareClaudeHome } from "./claude-home.ts";
export { type CodexHomeOptions, type CodexMcpServer, codexBinary, prepareCodexHome } from "./codex-home.ts";
export type { Call } from "./directives.ts";
export { type OpencodeHomeOptions, opencodeBinary, prepareOpencodeHome } from "./opencode-home.ts";
export { piScript, preparePiHome } from "./pi-home.ts";
export type { LoggedRequest } from "./request-log.ts";
export type { Answer } from "./script.ts";
export { type FakeModel, type FakeModelOptions, startFakeModel } from "./server.ts";
