import { callerGates, proveCaller, requireTarget, targetGates, waitForState } from "@agent-control/fleet";
import * as z from "zod";
import { type ControlTool, launchIdArgument, noteSubjects, replyShape } from "../control-tool.ts";
import { shownState, stateFields } from "../shown-state.ts";

const input = z.strictObject({
  launch_id: launchIdArgument,
  until: z
    .enum(["done", "waiting", "working", "exited", "attention"])
    .default("done")
    .describe("State to wait for; attention is done, waiting, error or exited. Default done."),
  timeout_s: z.number().int().min(0).max(600).default(45).describe("Seconds, 0 to 600. Default 45."),
});

const output = replyShape({
  ...stateFields,
  turn_started: z.boolean().optional().describe("After your agents_send: whether its prompt began a turn."),
});

export const agentsWait: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "agents_wait",
  title: "Wait for an agent",
  description:
    "Use this to wait until an agent that you started is done (default), waiting, working, exited, or needs attention. After agents_send it waits for that prompt's own turn. timeout_s is 0 to 600 seconds (default 45); a time-out answers ok:false with timed_out:true and the state, and you may call again.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  action: "wait",
  acting: false,
  waits: true,
  gates: [noteSubjects, ...callerGates, ...targetGates],
  async run(context, { launch_id, until, timeout_s }, call) {
    const { ports, launchId } = context;
    const { profile } = requireTarget(context, { launch_id });
    const end = await waitForState(ports, launch_id, {
      caller: (await context.caller()).id,
      until,
      timeoutMs: timeout_s * 1000,
      signal: call.signal,
      verifyCaller: async () => {
        await proveCaller(ports, launchId);
      },
      progress: (line) => call.progress(line),
    });
    return {
      ok: true,
      launch_id,
      profile,
      ...shownState(end.reading),
      ...(end.turnStarted === undefined ? {} : { turn_started: end.turnStarted }),
    };
  },
};
