import type { InstanceSeen } from "@agent-control/incus";
import { endStopping, stopDormant } from "./dormant-stop.ts";
import { renderMark } from "./holder-mark.ts";
import { probeOrphan } from "./probe-orphan.ts";
import { removeInstance } from "./remove-instance.ts";
import { readStamp } from "./stamp.ts";
import { writeStamp } from "./stamp-write.ts";
import type { SweepTurn, Swept } from "./sweep-turn.ts";
import type { Verdict } from "./sweep-verdict.ts";

/** Does with one instance of this user what the verdict on it says; `seen` is how the sweep's listing showed it. */
export async function sweepInstance(turn: SweepTurn, seen: InstanceSeen): Promise<Swept> {
  const verdict = turn.verdict(seen);
  if (verdict.do === "leave") return { instance: turn.name, did: "left", why: verdict.why };
  if (verdict.do === "destroy") return destroyOrphan(turn, { basis: "destroy", why: verdict.why });
  if (verdict.do === "probe") return sweepRunning(turn);
  if (verdict.do === "mark") await markOrphaned(turn);
  else await endStopping(turn.ports, turn.name);
  return lookAgain(turn, verdict.do);
}

// What was just stamped may be due for more at once: with a grace of no hours, or stopped as dormant long ago.
async function lookAgain(turn: SweepTurn, stamped: Verdict["do"]): Promise<Swept> {
  const now = await turn.ports.incus.instances.get(turn.name, turn.options.signal);
  if (now === undefined || turn.verdict(now).do === stamped) return changedMeanwhile(turn);
  return sweepInstance(turn, now);
}

async function markOrphaned({ ports, name, verdict }: SweepTurn): Promise<void> {
  await writeStamp(ports, name, {
    mayStop: true,
    decide: (seen) => {
      if (seen === undefined || verdict(seen).do !== "mark") return undefined;
      return { orphaned: renderMark(ports.clock.now(), readStamp(seen.config).session ?? "") };
    },
  });
}

async function sweepRunning(turn: SweepTurn): Promise<Swept> {
  const found = await probeOrphan(turn);
  if (found.do === "leave") return { instance: turn.name, did: "left", why: found.why };
  if (found.do === "destroy") return destroyOrphan(turn, { basis: "probe", why: found.why });
  return stopQuiet(turn, found.why);
}

/** `basis` is the verdict that must still hold when the instance is stamped. */
async function destroyOrphan(
  turn: SweepTurn,
  { basis, why }: { readonly basis: Verdict["do"]; readonly why: string },
): Promise<Swept> {
  const { ports, options, name, verdict } = turn;
  const done = await options.audited({ instance: name, act: "destroy", why }, () =>
    removeInstance(ports, name, { agrees: (seen) => verdict(seen).do === basis, signal: options.signal }),
  );
  return done ? { instance: name, did: "destroyed", why } : changedMeanwhile(turn);
}

async function stopQuiet(turn: SweepTurn, why: string): Promise<Swept> {
  const { ports, options, name, verdict } = turn;
  const done = await options.audited({ instance: name, act: "stop-dormant", why }, () =>
    stopDormant(ports, name, { agrees: (seen) => verdict(seen).do === "probe", signal: options.signal }),
  );
  return done ? { instance: name, did: "stopped", why } : changedMeanwhile(turn);
}

function changedMeanwhile({ name }: SweepTurn): Swept {
  return { instance: name, did: "left", why: "it changed meanwhile" };
}
