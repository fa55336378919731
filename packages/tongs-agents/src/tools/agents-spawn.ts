import {
  callerGates,
  openLaunch,
  optedInProfile,
  sessionOf,
  settleLaunch,
  spawnGates,
  withSlot,
} from "@agent-control/fleet";
import * as z from "zod";
import { type ControlTool, noteSubjects, replyShape } from "../control-tool.ts";

const input = z.strictObject({
  profile: z.string().describe("Name of a profile in config.toml that has mcp_control = true."),
});

const output = replyShape({
  launch_id: z.string().optional(),
  profile: z.string().optional(),
  state: z
    .string()
    .optional()
    .describe("running, or pending when the pane has not claimed its launch within 5 s."),
  pane: z.string().optional(),
  notices: z.array(z.string()).optional(),
});

export const agentsSpawn: ControlTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "agents_spawn",
  title: "Start an agent",
  description:
    "Use this to start another agent: a profile that your person configured, in a new pane of your own session, exactly as configured (no command, arguments, environment or directory can be given). Waits up to 5 s for the pane and returns its launch_id. Limited per minute (default 6). A person sees everything that happens in the pane.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input,
  output,
  action: "spawn",
  acting: true,
  waits: false,
  gates: [noteSubjects, ...callerGates, ...spawnGates],
  async run({ ports, config, caller }, { profile }, call) {
    const callerLaunch = await caller();
    const { id, baseDirectory, multiplexer } = callerLaunch;
    const slot = { caller: id, kind: "spawn", limit: config().control.mcpRatePerMinute } as const;
    const opened = await withSlot(ports, slot, (reserve) =>
      openLaunch(ports, {
        profile: optedInProfile(config(), profile),
        multiplexer,
        session: sessionOf(callerLaunch),
        baseDirectory,
        spawnedBy: id,
        capOf: config(),
        beforeOpening: reserve,
      }),
    );
    call.note({ target: opened.launch.id });
    const spawned = await settleLaunch(ports, opened, call.signal);
    return {
      ok: true,
      launch_id: spawned.launch.id,
      profile,
      state: spawned.state,
      pane: spawned.pane.paneId,
      ...(spawned.notices.length > 0 ? { notices: [...spawned.notices] } : {}),
    };
  },
};
