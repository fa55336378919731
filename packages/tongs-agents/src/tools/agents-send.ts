import {
  callerGates,
  optedInProfile,
  requireTarget,
  sendText,
  targetGates,
  withSlot,
} from "@agent-control/fleet";
import * as z from "zod";
import { type ControlTool, launchIdArgument, noteSubjects, replyShape } from "../control-tool.ts";

const input = z.strictObject({
  launch_id: launchIdArgument,
  text: z.string().describe("The prompt: at most 100000 bytes; no control characters but LF and TAB."),
});

const output = replyShape({
  launch_id: z.string().optional(),
  bytes: z.int().optional(),
  sha256: z.string().optional(),
  delivery: z
    .looseObject({})
    .optional()
    .describe(
      "landed; submitted and turn_started (true, false, or null when it cannot be known); prior_turn (queued, steered or interrupted, when a turn was running); evidence.",
    ),
});

/** How long a send looks for the turn that its prompt starts. */
const turnMs = 3_000;

export const agentsSend: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "agents_send",
  title: "Prompt an agent",
  description:
    "Use this to give an agent that you started its next prompt: pastes the text into its pane and presses Enter, as its person would, with the person's full authority there. Types nothing and refuses while a dialog is open, a person's draft stands in the box, or the pane is in copy mode. delivery.turn_started says whether a turn began within 3 s. Limited per minute (default 6).",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output,
  action: "send",
  acting: true,
  waits: false,
  gates: [noteSubjects, ...callerGates, ...targetGates],
  async run(context, { launch_id, text }, call) {
    const { ports, config } = context;
    const caller = (await context.caller()).id;
    const profile = optedInProfile(config(), requireTarget(context, { launch_id }).profile);
    const slot = { caller, kind: "send", limit: config().control.mcpRatePerMinute } as const;
    const sent = await withSlot(ports, slot, async (reserve) => {
      await reserve();
      return sendText(ports, launch_id, text, {
        caller,
        answerDialogs: profile.mcpAnswerDialogs,
        whileWorking: profile.mcpSendWhileWorking,
        turnMs,
        signal: call.signal,
      });
    });
    call.note({ bytes: sent.bytes, sha256: sent.sha256 });
    return {
      ok: true,
      launch_id,
      bytes: sent.bytes,
      sha256: sent.sha256,
      delivery: {
        landed: sent.landed,
        submitted: sent.submitted,
        turn_started: sent.turnStarted,
        ...(sent.priorTurn === undefined ? {} : { prior_turn: sent.priorTurn }),
        evidence: sent.evidence,
      },
    };
  },
};
