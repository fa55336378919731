import * as z from "zod";
import { fleetTool } from "../fleet-tool.ts";
import { needsAttention, sessionShape, shownSessions } from "../fleet-view.ts";

const input = z.strictObject({});
const count = z.int();

const output = z.strictObject({
  total: count,
  active: count.describe("Started or working."),
  idle: count.describe("Done."),
  needs_attention: count,
  truncated: z.boolean().describe("true: not all fit; use fleet_session for one."),
  sessions: z.array(sessionShape),
});

export const fleetStatus = fleetTool({
  name: "fleet_status",
  title: "See all agent sessions",
  description:
    "Use this to see every coding-agent session of this user that reports its status, with a summary. Ended sessions stay until fleet_cleanup. Starts and types nothing.",
  readOnly: true,
  input,
  output,
  async run({ ports }) {
    const records = await ports.activity.list();
    const { sessions, total, truncated } = shownSessions(records, ports.clock.now());
    return {
      total,
      active: records.filter(({ status }) => status === "started" || status === "working").length,
      idle: records.filter(({ status }) => status === "done").length,
      needs_attention: records.filter(needsAttention).length,
      truncated,
      sessions,
    };
  },
});
