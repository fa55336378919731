import type { AgentId } from "@agent-control/harness/setup";
import { agentIds } from "./set-up-agents.ts";

/** The flags that install, uninstall and mcp register share. */
export const setupFlags = [
  {
    name: "agent",
    type: "choice",
    summary: "One agent CLI, or all of them",
    choices: ["claude", "codex", "pi", "opencode", "all"],
    default: "all",
  },
  { name: "dry-run", type: "boolean", summary: "Print what would change and write nothing" },
] as const;

/** The agents that `--agent` names. */
export function chosenAgents(name: AgentId | "all"): readonly AgentId[] {
  return name === "all" ? agentIds : [name];
}
