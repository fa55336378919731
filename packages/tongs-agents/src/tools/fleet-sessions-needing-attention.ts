import { lineReply } from "@agent-control/mcp";
import * as z from "zod";
import type { ControlTool } from "../control-tool.ts";
import { needsAttention, sessionShape, shownSessions } from "../fleet-view.ts";

const input = z.strictObject({});

const output = z.strictObject({
  total: z.int(),
  truncated: z.boolean(),
  sessions: z.array(sessionShape),
});

export const fleetSessionsNeedingAttention: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "fleet_sessions_needing_attention",
  title: "See sessions that need their person",
  description:
    "Use this to see only the coding-agent sessions that wait for an answer (permission or choice) or have failed.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  action: "",
  acting: false,
  waits: false,
  failureReply: lineReply,
  gates: [],
  async run({ ports }) {
    const records = (await ports.activity.list()).filter(needsAttention);
    const { sessions, total, truncated } = shownSessions(records, ports.clock.now());
    return { total, truncated, sessions };
  },
};
