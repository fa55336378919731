import { Failure, isAlive, plainText, throwIfCancelled } from "@agent-control/base";
import type { Multiplexer, PaneRef, PaneSeen } from "@agent-control/multiplexer";
import type { FleetPorts } from "./fleet-ports.ts";
import { isClaimed, type Launch } from "./launch.ts";
import type { Opened } from "./open-launch.ts";

export interface Spawned {
  readonly launch: Launch;
  /** pending: the pane did not claim within 5 s. */
  readonly state: "running" | "pending";
  readonly pane: PaneRef;
  readonly notices: readonly string[];
}

const claimMs = 5_000;
const aliveMs = 300;
const recordEveryMs = 25;
const paneEveryMs = 200;
/** The multiplexer learns of an end a moment later than the process table. */
const deadPaneMs = 500;

/**
 * Waits until the opened pane has claimed its launch and lived a moment, or 5 s. Throws `exited` with the program's
 * status and last lines when it dies at once; when cancelled the pane goes on.
 */
export async function settleLaunch(
  ports: FleetPorts,
  opened: Opened,
  signal?: AbortSignal,
): Promise<Spawned> {
  const multiplexer = await ports.multiplexer(opened.launch.multiplexer);
  const outcome = await awaitClaim(ports, multiplexer, opened, signal);
  if (outcome === "died") throw await diedAtStart(ports, multiplexer, opened);
  const notices = await release(multiplexer, opened.pane);
  throwIfCancelled(signal);
  const launch = ports.launches.read(opened.launch.id) ?? opened.launch;
  return { launch, state: outcome, pane: opened.pane, notices };
}

async function awaitClaim(
  ports: FleetPorts,
  multiplexer: Multiplexer,
  opened: Opened,
  signal: AbortSignal | undefined,
): Promise<"running" | "pending" | "died"> {
  const { clock, launches, processTable } = ports;
  const started = clock.monotonic();
  let claimedAt: number | undefined;
  let lookAt = started + paneEveryMs;
  while (!signal?.aborted) {
    const launch = launches.read(opened.launch.id) ?? opened.launch;
    const now = clock.monotonic();
    if (isClaimed(launch)) {
      claimedAt ??= now;
      if (!isAlive(processTable, launch.process)) return "died";
      if (now - claimedAt >= aliveMs) return "running";
    } else if (now >= lookAt) {
      if (isDead(await look(multiplexer, opened.pane))) return "died";
      lookAt = clock.monotonic() + paneEveryMs;
    }
    if (claimedAt === undefined && now - started >= claimMs) break;
    await clock.sleep(recordEveryMs);
  }
  return "pending";
}

type Seen = PaneSeen | "gone" | "unknown";

/** One look at the pane; a multiplexer that could not be asked has not seen it die. */
async function look(multiplexer: Multiplexer, pane: PaneRef): Promise<Seen> {
  try {
    const panes = await multiplexer.panes(pane.session);
    return panes?.find((each) => each.paneId === pane.paneId) ?? "gone";
  } catch (error) {
    if (error instanceof Failure && error.outcome === "unavailable") return "unknown";
    throw error;
  }
}

function isDead(seen: Seen): boolean {
  return seen === "gone" || (seen !== "unknown" && seen.dead);
}

/** From now on the pane closes with its program. The agent runs whether or not that could be said. */
async function release(multiplexer: Multiplexer, pane: PaneRef): Promise<readonly string[]> {
  try {
    await multiplexer.release(pane);
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || error.outcome !== "unavailable") throw error;
    return [`Pane ${pane.paneId} may stay open when its program ends: ${error.message}`];
  }
}

async function diedAtStart(ports: FleetPorts, multiplexer: Multiplexer, opened: Opened): Promise<Failure> {
  const { pane, launch } = opened;
  const seen = await deadPane(ports, multiplexer, pane);
  const deadStatus = typeof seen === "string" ? undefined : seen.deadStatus;
  const lines = seen === "gone" ? "" : lastLines((await multiplexer.screen(pane))?.lines ?? []);
  await multiplexer.close(pane);
  await ports.launches.update(launch.id, (now) => ({ ...now, state: "exited" }));
  const status = deadStatus === undefined ? "" : ` with status ${deadStatus}`;
  return new Failure("exited", {
    code: "died-at-start",
    message: `Profile ${launch.profile} ended${status} as soon as it started`,
    next: "Ask the person to try the profile's command in that directory",
    details: {
      launch_id: launch.id,
      ...(deadStatus === undefined ? {} : { status: deadStatus }),
      ...(lines === "" ? {} : { screen_text: lines }),
    },
  });
}

async function deadPane(ports: FleetPorts, multiplexer: Multiplexer, pane: PaneRef): Promise<Seen> {
  const started = ports.clock.monotonic();
  for (;;) {
    const seen = await look(multiplexer, pane);
    if (isDead(seen) || ports.clock.monotonic() - started >= deadPaneMs) return seen;
    await ports.clock.sleep(recordEveryMs);
  }
}

function lastLines(lines: readonly string[]): string {
  const shown = lines.map((line) => plainText(line).trim()).filter((line) => line !== "");
  return shown.slice(-5).join("\n").slice(-400);
}
