import type { ControlContext } from "@agent-control/fleet";
import type { AnyTool } from "@agent-control/mcp";
import { agentsSend } from "./tools/agents-send.ts";
import { agentsSpawn } from "./tools/agents-spawn.ts";
import { agentsStatus } from "./tools/agents-status.ts";
import { agentsWait } from "./tools/agents-wait.ts";
import { fleetCleanup } from "./tools/fleet-cleanup.ts";
import { fleetFocus } from "./tools/fleet-focus.ts";
import { fleetSession } from "./tools/fleet-session.ts";
import { fleetSessionsNeedingAttention } from "./tools/fleet-sessions-needing-attention.ts";
import { fleetStatus } from "./tools/fleet-status.ts";

/** Always listed; they start and type nothing. */
export const fleetTools: readonly AnyTool<ControlContext>[] = [
  fleetStatus,
  fleetSession,
  fleetSessionsNeedingAttention,
  fleetFocus,
  fleetCleanup,
];

/** Listed only where the person switched `control.mcp_enabled` on before the server started. */
export const controlTools: readonly AnyTool<ControlContext>[] = [
  agentsSpawn,
  agentsSend,
  agentsStatus,
  agentsWait,
];
