import { lineReply } from "@agent-control/mcp";
import type { ControlTool } from "./control-tool.ts";

type Own = "name" | "title" | "description" | "input" | "output" | "run";

/** A tool that shows sessions and drives none: no gate, no audit line, failures as one line. */
export function fleetTool<Input, Output extends object>(
  tool: Pick<ControlTool<Input, Output>, Own> & { readonly readOnly: boolean },
): ControlTool<Input, Output> {
  const { readOnly, ...own } = tool;
  return {
    ...own,
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    action: "",
    acting: false,
    waits: false,
    failureReply: lineReply,
    gates: [],
  };
}
