import { type Clock, Failure, type ProcessSeen, type ProcessTable } from "@agent-control/base";
import type { Multiplexer } from "@agent-control/multiplexer";
import type { Launch } from "./launch.ts";
import { type Launches, unknownLaunch } from "./launches.ts";
import { sessionOf } from "./verify.ts";

export interface ClaimPorts {
  readonly launches: Launches;
  readonly processTable: ProcessTable;
  readonly clock: Clock;
  readonly multiplexer: Multiplexer;
}

/**
 * Run by the claiming child of the pane's process: binds the launch to that process, once. The pane, its socket,
 * its server (the pane process's parent) and, where known, its pid must be the recorded ones; otherwise a refusal,
 * and the record stays as it is.
 */
export async function claimLaunch(ports: ClaimPorts, id: string): Promise<Launch> {
  const launch = await withPaneId(ports, id);
  const pane = parentOf(ports.processTable, ports.processTable.self().pid);
  const server = parentOf(ports.processTable, pane.pid);
  await requireOwnPane(ports, launch, { pane, server });
  const claimed = await ports.launches.update(id, (now) => {
    if (now.state !== "pending") throw refusal("launch-claimed", `Launch ${id} is ${now.state} already`);
    return {
      ...now,
      state: "claimed",
      claimedAt: new Date(ports.clock.now()).toISOString(),
      server: { pid: server.pid, start: server.start },
      process: { pid: pane.pid, start: pane.start, bootId: pane.bootId },
    };
  });
  await replaceOlder(ports, claimed);
  return claimed;
}

/** The spawner writes the pane id as soon as the multiplexer printed it. */
async function withPaneId(ports: ClaimPorts, id: string): Promise<Launch & { readonly paneId: string }> {
  const started = ports.clock.monotonic();
  for (;;) {
    const launch = ports.launches.read(id);
    if (!launch) throw unknownLaunch(id);
    const { paneId } = launch;
    if (paneId !== undefined) return { ...launch, paneId };
    if (ports.clock.monotonic() - started > 5_000) {
      throw refusal("pane-unknown", `Launch ${id} got no pane id within 5 s`);
    }
    await ports.clock.sleep(10);
  }
}

async function requireOwnPane(
  ports: ClaimPorts,
  launch: Launch & { readonly paneId: string },
  seen: { readonly pane: ProcessSeen; readonly server: ProcessSeen },
): Promise<void> {
  const server = await ports.multiplexer.server(launch.socket);
  if (server?.pid !== seen.server.pid) {
    throw refusal("other-server", `Launch ${launch.id} belongs to another ${launch.multiplexer} server`);
  }
  const panes = await ports.multiplexer.panes(sessionOf(launch));
  const pane = panes?.find((each) => each.paneId === launch.paneId);
  if (!pane || (ports.multiplexer.capabilities.panePid && pane.pid !== seen.pane.pid)) {
    throw refusal("other-pane", `Launch ${launch.id} belongs to another pane`);
  }
}

async function replaceOlder(ports: ClaimPorts, claimed: Launch): Promise<void> {
  const older = ports.launches
    .list()
    .filter(
      (launch) =>
        launch.id !== claimed.id &&
        launch.state === "claimed" &&
        launch.socket === claimed.socket &&
        launch.paneId === claimed.paneId &&
        launch.server?.pid === claimed.server?.pid &&
        launch.server?.start === claimed.server?.start,
    );
  for (const launch of older) {
    await ports.launches.update(launch.id, (now) =>
      now.state === "claimed" ? { ...now, state: "replaced", replacedBy: claimed.id } : now,
    );
  }
}

function parentOf(table: ProcessTable, pid: number): ProcessSeen {
  const parent = table.look(table.look(pid)?.parent ?? 0);
  if (!parent) throw refusal("no-parent", "The claiming program does not run in a pane");
  return parent;
}

function refusal(code: string, message: string): Failure {
  return new Failure("refused", { code, message, next: "Start the agent again with tongs-agents" });
}
