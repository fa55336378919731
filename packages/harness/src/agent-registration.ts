import { isAbsolute, join } from "node:path";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { codexServer } from "./codex-server.ts";
import type { HarnessId } from "./harness.ts";
import { hookFile } from "./hook-file.ts";
import type { AgentPlace, ManagedFile } from "./managed-file.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import { opencodeServer } from "./opencode-server.ts";
import { piExtension } from "./pi-extension.ts";

/** The agent CLIs that install knows. */
export type AgentId = Exclude<HarnessId, "none">;

export interface AgentRegistration {
  /** In the order in which they are written. */
  readonly files: readonly ManagedFile[];
  /** What a person should know or do besides; whole sentences. */
  readonly notes: readonly string[];
}

/** The files in which agent-control keeps its entries for one agent CLI, where that CLI looks for them. */
export function agentRegistration(
  agent: AgentId,
  place: AgentPlace & { readonly approve: boolean },
): AgentRegistration {
  return registrations[agent](place);
}

const registrations: Readonly<
  Record<AgentId, (place: AgentPlace & { readonly approve: boolean }) => AgentRegistration>
> = {
  claude: (place) => ({
    files: [hookFile(claude, join(claudeDirectory(place), "settings.json"), place)],
    notes: [],
  }),
  codex: (place) => {
    const directory = directoryOf(place, "CODEX_HOME", join(place.home, ".codex"));
    return {
      files: [
        hookFile(codex, join(directory, "hooks.json"), place),
        codexServer(join(directory, "config.toml"), place),
      ],
      notes: ["Codex runs new hooks only after you trust them: open it once, or use /hooks."],
    };
  },
  opencode: (place) => {
    const directory = join(directoryOf(place, "XDG_CONFIG_HOME", join(place.home, ".config")), "opencode");
    const jsonc = join(directory, "opencode.jsonc");
    const server = opencodeServer(place.exists(jsonc) ? jsonc : join(directory, "opencode.json"), place);
    const plugin = opencodePlugin(join(directory, "plugins", "tongs-agents.js"), place);
    // With a plugin file opencode fetches this package at its start, and hangs where it cannot.
    const canLoad = place.exists(join(directory, "node_modules", "@opencode-ai", "plugin", "package.json"));
    return canLoad || place.exists(plugin.path)
      ? { files: [server, plugin], notes: [] }
      : { files: [server], notes: [withoutPlugin(directory)] };
  },
  pi: (place) => {
    const directory = directoryOf(place, "PI_CODING_AGENT_DIR", join(place.home, ".pi", "agent"));
    return {
      files: [piExtension(join(directory, "extensions", "tongs-agents.js"), place)],
      notes: ["Pi has no MCP client: it can be started and driven, but not drive others."],
    };
  },
};

/** Where Claude Code keeps settings.json. */
export function claudeDirectory(place: Pick<AgentPlace, "home" | "env">): string {
  return directoryOf(place, "CLAUDE_CONFIG_DIR", join(place.home, ".claude"));
}

function directoryOf({ env }: Pick<AgentPlace, "env">, variable: string, otherwise: string): string {
  const value = env[variable];
  return value !== undefined && isAbsolute(value) ? value : otherwise;
}

function withoutPlugin(directory: string): string {
  return `opencode reports no status yet: run \`npm install --prefix ${directory} @opencode-ai/plugin\`, then install again.`;
}
