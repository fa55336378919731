import { lineReply } from "@agent-control/mcp";
import * as z from "zod";
import type { ControlTool } from "../control-tool.ts";

const input = z.strictObject({});
const output = z.strictObject({ removed: z.int() });

export const fleetCleanup: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "fleet_cleanup",
  title: "Forget ended sessions",
  description:
    "Use this to remove the status records of sessions that ended more than 300 seconds ago. Ends nothing and touches no running session.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  action: "",
  acting: false,
  waits: false,
  failureReply: lineReply,
  gates: [],
  async run({ ports }) {
    return { removed: await ports.activity.cleanup(300_000) };
  },
};
