import { join } from "node:path";
import { type AgentEnvironment, apiKey, baseEnvironment, type HomeOptions, writeJson } from "./agent-home.ts";
import { installedFile } from "./installed-file.ts";

export interface OpencodeHomeOptions extends HomeOptions {
  /** MCP servers as `mcp` of `opencode.json` holds them. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** What opencode asks for, as `permission` of `opencode.json` holds it, e.g. `{ bash: "ask" }`; by default nothing. */
  readonly permission?: Readonly<Record<string, unknown>>;
}

/**
 * Writes the `opencode.json` with which opencode 1.18 asks only the model at `url`, by chat completions. Returns the
 * whole environment to run it with. It needs no trust for a directory.
 */
export function prepareOpencodeHome(options: OpencodeHomeOptions): AgentEnvironment {
  const { home, url, mcpServers = {}, permission = {} } = options;
  writeJson(join(home, ".config", "opencode", "opencode.json"), {
    autoupdate: false,
    share: "disabled",
    model: "fake/fake-model",
    small_model: "fake/fake-model",
    enabled_providers: ["fake"],
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        name: "fake",
        options: { baseURL: `${url}/v1`, apiKey },
        models: { "fake-model": { name: "fake-model" } },
      },
    },
    mcp: mcpServers,
    permission,
  });
  return {
    ...baseEnvironment(home),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_SHARE: "1",
    // Nothing may be installed at run time. With a plugin file opencode tries to at its start, and npm asks a closed
    // port again for more than a minute unless it is told not to.
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_fetch_retries: "0",
    XDG_CONFIG_HOME: join(home, ".config"),
  };
}

/**
 * The native opencode program that the package of `from` depends on. Throws an
 * Error with one sentence when it is not installed there.
 */
export function opencodeBinary(from: string | URL): string {
  const platform = `opencode-${process.platform}-${process.arch}`;
  return installedFile(from, ["opencode-ai", platform], join("bin", "opencode"));
}
