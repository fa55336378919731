import { asFailure, renderFailure } from "@agent-control/base";
import type { Interaction } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { type McpStepCall, mcpStep } from "./mcp-step.ts";

/** The step as a part of something larger: where it cannot be taken, a line says why, and nothing is changed. */
export async function offerMcpStep(
  call: McpStepCall & Pick<Interaction, "stdin" | "terminal">,
  ports: CommandPorts,
): Promise<readonly string[]> {
  if (!call.stdin.isTerminal || !call.terminal.stderrIsTerminal) {
    return ["Agents were not let in or shut out: that step needs a terminal. Run isx mcp setup in one."];
  }
  try {
    return (await mcpStep(call, ports)).lines;
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || failure.outcome === "cancelled") throw error;
    return [`The step for agents was skipped. ${renderFailure(failure)}`];
  }
}
