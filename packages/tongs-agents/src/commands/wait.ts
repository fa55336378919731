import { defineCommand } from "@agent-control/cli";
import { waitForState } from "@agent-control/fleet";
import type { CommandPorts } from "../command-ports.ts";
import { onLaunch, suggestLaunches } from "../on-launch.ts";
import { shownState } from "../shown-state.ts";

export const wait = defineCommand({
  description:
    "Waits until the agent of a launch is in a state. After your own send it waits for that prompt's turn. Exits with 3 when the time is over and with 4 when the agent has ended.",
  arguments: [{ name: "id", summary: "Launch id, or the start of one" }],
  flags: [
    {
      name: "until",
      type: "choice",
      summary: "State to wait for; attention is done, waiting, error or exited",
      choices: ["done", "waiting", "working", "exited", "attention"],
      default: "done",
    },
    {
      name: "timeout",
      type: "number",
      value: "SECONDS",
      summary: "How long",
      min: 0,
      max: 86_400,
      default: 600,
    },
  ],
  example: "tongs-agents wait k3fq --until done --timeout 300",
  run: async ({ arguments: { id }, flags: { until, timeout }, signal, progress }, ports: CommandPorts) => {
    const { launchId, reading } = await onLaunch(
      ports,
      id,
      { action: "wait", acting: false },
      async (launchId) => {
        const request = {
          caller: ports.caller,
          until,
          timeoutMs: timeout * 1000,
          signal,
          verifyCaller: async () => {}, // A person needs no launch.
        };
        const end = await progress(`waiting until ${until}`, (say) =>
          waitForState(ports.fleet, launchId, { ...request, progress: say }),
        );
        return { launchId, reading: end.reading };
      },
    );
    const shown = shownState(reading);
    return { json: { ok: true, launch_id: launchId, ...shown }, human: `${launchId} ${shown.state}` };
  },
  suggest: suggestLaunches,
});
