import { isAbsolute, join } from "node:path";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { codexServer } from "./codex-server.ts";
import type { HarnessId } from "./harness.ts";
import { hookFile } from "./hook-file.ts";
import type { AgentPlace, ManagedFile } from "./managed-file.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import { opencodeServer } from "./opencode-server.ts";
import { type ServerEntry, tongsServer } from "./own-server.ts";
import { piExtension } from "./pi-extension.ts";

/** The agent CLIs that install knows. */
export type AgentId = Exclude<HarnessId, "none">;

export interface AgentRegistration {
  /** In the order in which they are written. */
  readonly files: readonly ManagedFile[];
  /** What a person should know; whole sentences. */
  readonly notes: readonly string[];
  /** What is left to a person after an installation; whole sentences. */
  readonly afterwards: readonly string[];
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
    afterwards: [],
  }),
  codex: (place) => {
    const directory = codexDirectory(place);
    return {
      files: [
        hookFile(codex, join(directory, "hooks.json"), place),
        serverFile("codex", place, { server: tongsServer(place), approve: place.approve }),
      ],
      notes: [],
      afterwards: ["Codex runs new hooks only after you trust them: open it once, or use /hooks."],
    };
  },
  opencode: (place) => {
    const directory = opencodeDirectory(place);
    const server = serverFile("opencode", place, { server: tongsServer(place), approve: place.approve });
    const plugin = opencodePlugin(join(directory, "plugins", "tongs-agents.js"), place);
    const canLoad = canLoadPlugins(place, directory);
    const isThere = place.read(plugin.path) !== undefined;
    return {
      files: canLoad || isThere ? [server, plugin] : [server],
      notes: canLoad ? [] : [withoutPackage(directory, isThere)],
      afterwards: [],
    };
  },
  pi: (place) => {
    const directory = directoryOf(place, "PI_CODING_AGENT_DIR", join(place.home, ".pi", "agent"));
    return {
      files: [piExtension(join(directory, "extensions", "tongs-agents.js"), place)],
      notes: ["Pi has no MCP client: it can be started and driven, but not drive others."],
      afterwards: [],
    };
  },
};

/** The file in which an agent CLI that has no verb for it keeps this MCP server. */
export function serverFile(
  agent: "codex" | "opencode",
  place: Pick<AgentPlace, "home" | "env" | "read">,
  options: { readonly server: ServerEntry; readonly approve: boolean },
): ManagedFile {
  if (agent === "codex") return codexServer(join(codexDirectory(place), "config.toml"), options);
  const directory = opencodeDirectory(place);
  const jsonc = join(directory, "opencode.jsonc");
  const path = place.read(jsonc) === undefined ? join(directory, "opencode.json") : jsonc;
  return opencodeServer(path, options.server);
}

function codexDirectory(place: Pick<AgentPlace, "home" | "env">): string {
  return directoryOf(place, "CODEX_HOME", join(place.home, ".codex"));
}

function opencodeDirectory(place: Pick<AgentPlace, "home" | "env">): string {
  return join(directoryOf(place, "XDG_CONFIG_HOME", join(place.home, ".config")), "opencode");
}

/** Where Claude Code keeps settings.json. */
export function claudeDirectory(place: Pick<AgentPlace, "home" | "env">): string {
  return directoryOf(place, "CLAUDE_CONFIG_DIR", join(place.home, ".claude"));
}

function directoryOf({ env }: Pick<AgentPlace, "env">, variable: string, otherwise: string): string {
  const value = env[variable];
  return value !== undefined && isAbsolute(value) ? value : otherwise;
}

// With a plugin file opencode wants this package at its start. Measured on 1.18: where the
// package is not installed and named here, npm looks for it, and without a network asks again for about 80 s, in which
// opencode tells no status.
function canLoadPlugins({ read }: Pick<AgentPlace, "read">, directory: string): boolean {
  const isInstalled =
    read(join(directory, "node_modules", "@opencode-ai", "plugin", "package.json")) !== undefined;
  return isInstalled && (read(join(directory, "package.json")) ?? "").includes('"@opencode-ai/plugin"');
}

function withoutPackage(directory: string, hasPlugin: boolean): string {
  const install = `run \`npm install --prefix ${directory} @opencode-ai/plugin\``;
  return hasPlugin
    ? `opencode may tell no status for more than a minute after its start, because its plugins' package is missing: ${install}.`
    : `opencode reports no status yet: ${install}, then \`tongs-agents install\` again.`;
}
