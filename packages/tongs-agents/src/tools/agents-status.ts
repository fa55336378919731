import { callerGates, launchState, requireTarget, targetGates } from "@agent-control/fleet";
import * as z from "zod";
import { type ControlTool, launchIdArgument, noteSubjects, replyShape } from "../control-tool.ts";
import { shownState, stateFields } from "../shown-state.ts";

const input = z.strictObject({ launch_id: launchIdArgument });

const output = replyShape(stateFields);

export const agentsStatus: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "agents_status",
  title: "See an agent's state",
  description:
    "Use this to see what an agent that you started does now: working, waiting (a dialog is open), done, starting, error or exited. To wait for a state use agents_wait instead of calling this again and again.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  action: "status",
  acting: false,
  waits: false,
  gates: [noteSubjects, ...callerGates, ...targetGates],
  async run(context, { launch_id }) {
    const { profile } = requireTarget(context, { launch_id });
    return { ok: true, launch_id, profile, ...shownState(await launchState(context.ports, launch_id)) };
  },
};
