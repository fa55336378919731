import * as z from "zod";
import { fleetTool } from "../fleet-tool.ts";
import { findSession, sessionShape, shownSession } from "../fleet-view.ts";

const input = z.strictObject({
  session_id: z.string().describe("An id or session_id of fleet_status, or the start of one."),
});

export const fleetSession = fleetTool({
  name: "fleet_session",
  title: "See one agent session",
  description:
    "Use this to see one coding-agent session by its exact id, else by a unique start of it; several matches are an error that lists them.",
  readOnly: true,
  input,
  output: sessionShape,
  async run({ ports }, { session_id }) {
    return shownSession(findSession(await ports.activity.list(), session_id), ports.clock.now());
  },
});
