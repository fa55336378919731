import { lineReply } from "@agent-control/mcp";
import * as z from "zod";
import type { ControlTool } from "../control-tool.ts";
import { findSession, sessionShape, shownSession } from "../fleet-view.ts";

const input = z.strictObject({
  session_id: z.string().describe("An id or session_id of fleet_status, or the start of one."),
});

export const fleetSession: ControlTool<z.infer<typeof input>, z.infer<typeof sessionShape>> = {
  name: "fleet_session",
  title: "See one agent session",
  description:
    "Use this to see one coding-agent session by its exact id, else by a unique start of it; several matches are an error that lists them.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output: sessionShape,
  action: "",
  acting: false,
  waits: false,
  failureReply: lineReply,
  gates: [],
  async run({ ports }, { session_id }) {
    return shownSession(findSession(await ports.activity.list(), session_id), ports.clock.now());
  },
};
