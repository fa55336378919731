import { allowed, type Decision, refuse, shownText } from "@agent-control/base";
import type { TongsConfig } from "./tongs-config.ts";

/** Control is switched on in the configuration as it is now; `path` is its file. Code `control-disabled`. */
export function controlEnabled(config: TongsConfig, path: string): Decision {
  if (config.control.mcpEnabled) return allowed;
  return refuse(
    "control-disabled",
    "Control of agents is switched off",
    `Ask the person to set mcp_enabled = true under [control] in ${shownText(path)}`,
  );
}

/** A launch id reached the server in TONGS_AGENTS_LAUNCH_ID. Code `caller-unknown`. */
export function launchVariablePresent(launchId: string | undefined): Decision {
  if (launchId !== undefined && launchId !== "") return allowed;
  return refuse(
    "caller-unknown",
    "This MCP server was started without TONGS_AGENTS_LAUNCH_ID, so it cannot tell which agent is calling",
    "Ask the person to run `tongs-agents install` and to start this agent with `tongs-agents launch` or `tongs-agents workspace`",
  );
}

/** An agent that was itself started through MCP may start more. Code `nested-spawn-disabled`. */
export function mayNest(config: TongsConfig, caller: { readonly spawnedBy?: string | undefined }): Decision {
  if (caller.spawnedBy === undefined || config.control.mcpNestedSpawn) return allowed;
  return refuse(
    "nested-spawn-disabled",
    "This agent was started by another agent and may not start more",
    "Do the work here, or ask the person to set mcp_nested_spawn = true under [control]",
  );
}

/** One more live or pending agent stays within `mcp_max_agents`. Code `agent-cap-reached`. */
export function underAgentCap(config: TongsConfig, liveCount: number): Decision {
  const cap = config.control.mcpMaxAgents;
  if (liveCount < cap) return allowed;
  return refuse(
    "agent-cap-reached",
    `${liveCount} agents started by agents are running or starting, and mcp_max_agents allows ${cap}`,
    "Wait until one of them has ended, or ask the person to close one or to raise mcp_max_agents under [control]",
  );
}

/** A launch and where its pane is. */
export interface Seat {
  readonly launchId: string;
  readonly multiplexer: string;
  /** Real path of the multiplexer server's socket. */
  readonly socket: string;
  readonly paneId: string;
}

/**
 * The target is neither the caller's launch nor in its pane; panes are compared by multiplexer, socket and pane
 * id, whatever their session. Codes `target-is-caller`, `target-in-callers-pane`.
 */
export function notItself(caller: Seat, target: Seat): Decision {
  const next = "Name the launch id of another agent";
  if (target.launchId === caller.launchId) {
    return refuse("target-is-caller", "The target is the calling agent itself", next);
  }
  const samePane =
    target.multiplexer === caller.multiplexer &&
    target.socket === caller.socket &&
    target.paneId === caller.paneId;
  if (!samePane) return allowed;
  return refuse("target-in-callers-pane", "The target's pane is the calling agent's own pane", next);
}

/** The caller spawned the target, or any opted-in target is allowed. Code `target-not-owned`. */
export function owns(
  config: TongsConfig,
  callerLaunchId: string,
  targetSpawnedBy: string | undefined,
): Decision {
  if (targetSpawnedBy === callerLaunchId || config.control.mcpAnyTarget) return allowed;
  return refuse(
    "target-not-owned",
    "The target was not spawned by the calling agent",
    "Use an agent that agents_spawn returned to this agent, or ask the person to set mcp_any_target = true under [control]",
  );
}
