import { join } from "node:path";
import { type AgentEnvironment, apiKey, baseEnvironment, type HomeOptions, writeJson } from "./agent-home.ts";
import { installedFile } from "./installed-file.ts";
import { fields } from "./json-value.ts";

export interface ClaudeHomeOptions extends HomeOptions {
  /** MCP servers at user scope, as `mcpServers` of `.claude.json` holds them. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Members of `settings.json`, e.g. `{ permissions: { allow: ["Write"] } }` or hooks. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/**
 * Writes the files with which Claude Code 2.1 starts without any dialog: no login, no trust question, no choice of
 * theme or permission mode, the classic renderer. It asks before it acts unless `settings.permissions` allow it: root may not bypass.
 * Returns the whole environment to run it with, in which a failed request is not retried.
 */
export function prepareClaudeHome(options: ClaudeHomeOptions): AgentEnvironment {
  const { home, projectDir, url, mcpServers = {}, settings = {} } = options;
  writeJson(join(home, ".claude.json"), {
    hasCompletedOnboarding: true,
    hasSeenAutoDefaultNudge: true,
    theme: "dark",
    customApiKeyResponses: { approved: [apiKey], rejected: [] },
    projects: { [projectDir]: { hasTrustDialogAccepted: true } },
    mcpServers,
  });
  writeJson(join(home, ".claude", "settings.json"), {
    skipDangerousModePermissionPrompt: true,
    tui: "default",
    ...settings,
    // Without a mode of its own 2.1.332 starts in "auto", which asks nobody.
    permissions: { defaultMode: "default", ...fields(settings.permissions) },
  });
  return {
    ...baseEnvironment(home),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    // Without it the names of MCP tools are kept back until the model searches for them.
    ENABLE_TOOL_SEARCH: "false",
  };
}

/**
 * The native Claude Code program that the package of `from` depends on: `claudeBinary(import.meta.url)`. Throws an
 * Error with one sentence when it is not installed there. The npm launcher of the same name is a placeholder when
 * install scripts did not run, so it is passed over.
 */
export function claudeBinary(from: string | URL): string {
  const platform = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  return installedFile(from, ["@anthropic-ai/claude-code", platform], "claude");
}
