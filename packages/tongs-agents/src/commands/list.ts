import { isAlive, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { isClaimed, type Launch } from "@agent-control/fleet";
import type { CommandPorts } from "../command-ports.ts";

export const list = defineCommand({
  description: "Lists launches whose agent runs or is starting; --all also those that have ended.",
  arguments: [],
  flags: [{ name: "all", short: "a", type: "boolean", summary: "Also launches that have ended" }],
  example: "tongs-agents list --all",
  run: async ({ flags: { all }, warn }, ports: CommandPorts) => {
    const unreadable: string[] = [];
    const launches = ports.fleet.launches
      .list((id, why) => unreadable.push(`${id}: ${why}`))
      .map((launch) => ({ launch, state: stateNow(ports, launch) }))
      .filter(({ state }) => all || state === "claimed" || state === "pending");
    for (const line of unreadable) await warn(`Unreadable launch record ${line}`);
    return {
      json: { launches: launches.map(shown) },
      human: {
        columns: [
          { heading: "LAUNCH", keep: true },
          { heading: "PROFILE" },
          { heading: "STATE" },
          { heading: "PANE" },
          { heading: "STARTED BY" },
          { heading: "SINCE" },
        ],
        rows: launches.map(({ launch, state }) => [
          launch.id,
          launch.profile,
          state,
          `${shownText(launch.session.name)} ${launch.paneId ?? "-"}`,
          launch.spawnedBy ?? "person",
          launch.createdAt,
        ]),
        whenEmpty: "No agent was launched",
      },
    };
  },
});

/** The record says claimed until somebody notices that the process is gone. */
function stateNow(ports: CommandPorts, launch: Launch): Launch["state"] {
  return isClaimed(launch) && !isAlive(ports.machine.processTable, launch.process) ? "exited" : launch.state;
}

function shown({ launch, state }: { readonly launch: Launch; readonly state: Launch["state"] }) {
  return {
    launch_id: launch.id,
    profile: launch.profile,
    harness: launch.harness,
    state,
    multiplexer: launch.multiplexer,
    session: launch.session.name,
    pane: launch.paneId ?? null,
    spawned_by: launch.spawnedBy ?? null,
    created_at: launch.createdAt,
  };
}
