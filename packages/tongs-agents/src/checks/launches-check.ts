import { isAlive } from "@agent-control/base";
import type { Finding } from "@agent-control/cli";
import { isClaimed, type Launch } from "@agent-control/fleet";
import type { CommandPorts } from "../command-ports.ts";
import type { Check } from "./check.ts";

const check = "launch records";
/** A pane that opened claims its record within seconds. */
const claimMs = 60_000;

/** The launch records: readable, and of agents that run. */
export const launchesCheck: Check = {
  name: check,
  look: (ports) => {
    const { launches } = ports.fleet;
    const unreadable: Finding[] = [];
    const next = `Remove it from ${launches.directory}: whatever it was for is refused anyway`;
    const list = launches.list((id, why) => {
      unreadable.push({
        check,
        level: "warn",
        message: `The record of launch ${id} cannot be used: ${why}`,
        next,
      });
    });
    const running = list.filter((launch) => isRunning(ports, launch)).length;
    const message = `${running} of ${list.length} recorded agents run`;
    return [{ check, level: "ok", message }, ...staleRow(ports, list, launches.directory), ...unreadable];
  },
};

function isRunning({ machine }: CommandPorts, launch: Launch): boolean {
  return isClaimed(launch) && launch.state === "claimed" && isAlive(machine.processTable, launch.process);
}

function staleRow(ports: CommandPorts, list: readonly Launch[], directory: string): Finding[] {
  const now = ports.machine.clock.now();
  const stale = list.filter((launch) =>
    launch.state === "pending"
      ? now - Date.parse(launch.createdAt) > claimMs
      : launch.state === "claimed" && !isRunning(ports, launch),
  );
  if (stale.length === 0) return [];
  const ids = stale
    .slice(0, 5)
    .map(({ id }) => id)
    .join(", ");
  const message = `${stale.length} records say that an agent runs or starts which does not: ${ids}`;
  return [
    { check, level: "note", message, next: `They do no harm; remove them from ${directory} if you like` },
  ];
}
