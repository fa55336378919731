import { nearest } from "@agent-control/base";
import { quoted } from "./config-document.ts";
import { flag, oneOf, text, wholeNumber } from "./scalar-shapes.ts";
import { readDocument, type Shape, type Spot } from "./shape.ts";
import { list, table } from "./table-shapes.ts";
import { parseTomlDocument } from "./toml-document.ts";
import { type Profile, profiles } from "./tongs-profile.ts";
import { argument, sessionName, socketName } from "./tongs-words.ts";

/** `config.toml` of tongs-agents with every default filled in. */
export interface TongsConfig {
  readonly control: {
    readonly mcpEnabled: boolean;
    readonly mcpAnyTarget: boolean;
    readonly mcpNestedSpawn: boolean;
    /** 1..60, sends and spawns counted apart, per caller. */
    readonly mcpRatePerMinute: number;
    /** 1..200. */
    readonly mcpMaxAgents: number;
    readonly mcpExtraTools: boolean;
  };
  readonly workspace: {
    readonly multiplexer: "auto" | "tmux" | "zellij";
    readonly session: string;
    /** tmux -L name or absolute -S path; "" = the default server. */
    readonly socket: string;
    /** Names of profiles. Those a file writes exist; the default, `["lead"]`, need not. */
    readonly panes: readonly string[];
    /** Columns, 10..200. */
    readonly sidebarWidth: number;
  };
  /** By name, without a prototype; use `findProfile`. */
  readonly profiles: Readonly<Record<string, Profile>>;
}

/**
 * The configuration in a `config.toml`; no bytes means every default. Throws the Failure `config-invalid`
 * (`refused`) with line, column and key of the first mistake; `details.problems` has the others.
 */
export async function parseTongsConfig(bytes: Uint8Array, path: string): Promise<TongsConfig> {
  return readDocument(parseTomlDocument(bytes, path), tongsConfig);
}

/** The profile of exactly this name, or undefined. */
export function findProfile(config: TongsConfig, name: string): Profile | undefined {
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}

const defaultPanes: readonly string[] = ["lead"];

const file = table({
  control: table({
    mcp_enabled: flag(false),
    mcp_any_target: flag(false),
    mcp_nested_spawn: flag(false),
    mcp_rate_per_minute: wholeNumber(1, 60, 6),
    mcp_max_agents: wholeNumber(1, 200, 20),
    mcp_extra_tools: flag(false),
  }),
  workspace: table({
    multiplexer: oneOf(["auto", "tmux", "zellij"], "auto"),
    session: text("agents", sessionName),
    socket: text("", socketName),
    panes: list(() => text("", argument), defaultPanes),
    sidebar_width: wholeNumber(10, 200, 34),
  }),
  profiles,
});

const tongsConfig: Shape<TongsConfig> = (value, spot) => {
  const { control, workspace, profiles } = file(value, spot);
  refuseUnknownPanes(workspace.panes, Object.keys(profiles), spot.below("workspace").below("panes"));
  return {
    control: {
      mcpEnabled: control.mcp_enabled,
      mcpAnyTarget: control.mcp_any_target,
      mcpNestedSpawn: control.mcp_nested_spawn,
      mcpRatePerMinute: control.mcp_rate_per_minute,
      mcpMaxAgents: control.mcp_max_agents,
      mcpExtraTools: control.mcp_extra_tools,
    },
    workspace: {
      multiplexer: workspace.multiplexer,
      session: workspace.session,
      socket: workspace.socket,
      panes: workspace.panes,
      sidebarWidth: workspace.sidebar_width,
    },
    profiles,
  };
};

// The default is not checked: a file without profiles, or none at all, is a valid one.
function refuseUnknownPanes(panes: readonly string[], names: readonly string[], spot: Spot): void {
  if (panes === defaultPanes) return;
  const known = new Set(names);
  for (const [index, pane] of panes.entries()) {
    if (known.has(pane)) continue;
    const meant = nearest(pane, names);
    const suggestion = meant === undefined ? "" : `; did you mean ${quoted(meant)}?`;
    spot.below(index).refuse(`names a profile that does not exist, ${quoted(pane)}${suggestion}`);
  }
}
