import { join } from "node:path";
import {
  type AgentEnvironment,
  apiKey,
  baseEnvironment,
  type HomeOptions,
  writeConfiguration,
} from "./agent-home.ts";
import { installedFile } from "./installed-file.ts";

export interface CodexMcpServer {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that Codex passes on; it drops most others. */
  readonly passedVariables?: readonly string[];
}

export interface CodexHomeOptions extends HomeOptions {
  readonly mcpServers?: Readonly<Record<string, CodexMcpServer>>;
}

/**
 * Writes the `config.toml` with which Codex 0.171 starts without signing in and without asking for trust. Returns
 * the whole environment to run it with. Start its TUI with `--no-daemon`, or a daemon outlives it.
 */
export function prepareCodexHome({
  home,
  projectDir,
  url,
  mcpServers = {},
}: CodexHomeOptions): AgentEnvironment {
  writeConfiguration(
    join(home, ".codex", "config.toml"),
    [provider(url), project(projectDir), ...Object.entries(mcpServers).map(mcpServer)].join("\n"),
  );
  return { ...baseEnvironment(home), FAKE_MODEL_KEY: apiKey };
}

/**
 * The native Codex program that the package of `from` depends on. Throws an Error with one sentence when it is not
 * installed there.
 */
export function codexBinary(from: string | URL): string {
  const target = `${architectures[process.arch]}-${systems[process.platform]}`;
  const chain = ["@openai/codex", `@openai/codex-${process.platform}-${process.arch}`];
  return installedFile(from, chain, join("vendor", target, "bin", "codex"));
}

const architectures: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
const systems: Readonly<Record<string, string>> = { linux: "unknown-linux-musl", darwin: "apple-darwin" };

// The model's name must be one that Codex does not know: for known ones it sends tools in another form.
const provider = (url: string) => `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = ${quoted(`${url}/v1`)}
env_key = "FAKE_MODEL_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false
`;

const project = (directory: string) => `[projects.${quoted(directory)}]
trust_level = "trusted"
`;

function mcpServer([name, server]: [string, CodexMcpServer]): string {
  const { command, args = [], env = {}, passedVariables = [] } = server;
  const variables = Object.entries(env).map(([key, value]) => `${quoted(key)} = ${quoted(value)}`);
  return `[mcp_servers.${quoted(name)}]
command = ${quoted(command)}
args = [${args.map(quoted).join(", ")}]
env = { ${variables.join(", ")} }
env_vars = [${passedVariables.map(quoted).join(", ")}]
`;
}

/** A TOML basic string; JSON's escapes are a subset of TOML's, but TOML wants DEL escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
