import type { Decision } from "@agent-control/base";

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
    readonly panes: readonly string[];
    readonly sidebarWidth: number;
  };
  readonly profiles: Readonly<Record<string, Profile>>;
}

export interface Profile {
  readonly name: string;
  /** argv; command[0] is the program. */
  readonly command: readonly string[];
  readonly harness: "auto" | "claude" | "codex" | "pi" | "opencode" | "none";
  /** As written: absolute, ~ or relative to the workspace's base directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mcpControl: boolean;
  readonly mcpAnswerDialogs: boolean;
  readonly mcpSendWhileWorking: "allow" | "refuse";
}

export type { Decision };
