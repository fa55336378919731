import * as z from "zod";
import { fleetTool } from "../fleet-tool.ts";
import { needsAttention, sessionShape, shownSessions } from "../fleet-view.ts";

const input = z.strictObject({});

const output = z.strictObject({
  total: z.int(),
  truncated: z.boolean(),
  sessions: z.array(sessionShape),
});

export const fleetSessionsNeedingAttention = fleetTool({
  name: "fleet_sessions_needing_attention",
  title: "See sessions that need their person",
  description:
    "Use this to see only the coding-agent sessions that wait for an answer (permission or choice) or have failed.",
  readOnly: true,
  input,
  output,
  async run({ ports }) {
    const records = (await ports.activity.list()).filter(needsAttention);
    const { sessions, total, truncated } = shownSessions(records, ports.clock.now());
    return { total, truncated, sessions };
  },
});
