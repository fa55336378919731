import { asFailure } from "@agent-control/base";
import type { Presence } from "./guest.ts";
import { idleness, sampleGapMs } from "./idleness.ts";
import { readStamp } from "./stamp.ts";
import { writeStamp } from "./stamp-write.ts";
import type { SweepTurn } from "./sweep-turn.ts";

export interface Probed {
  readonly do: "leave" | "destroy" | "stop";
  readonly why: string;
}

/**
 * Asks a running orphan past its grace who is in it and what works, and takes a sample of its CPU time where a
 * working agent is all that keeps it. No answer counts as in use.
 */
export async function probeOrphan(turn: SweepTurn): Promise<Probed> {
  const presence = await presenceIn(turn);
  if (presence === undefined) return { do: "leave", why: "its guest did not answer" };
  if (presence.attended) return { do: "leave", why: "a person is in it" };
  if (presence.workingAgents.length === 0) {
    return { do: "destroy", why: "an orphan past orphan-grace-hours that nobody uses" };
  }
  const quiet = await isQuiet(turn, presence);
  if (!quiet) return { do: "leave", why: "an agent works in it" };
  return { do: "stop", why: "its agent showed no activity for dormant-after-hours" };
}

async function presenceIn({ ports, name, options }: SweepTurn): Promise<Presence | undefined> {
  const signal = options.signal ? { signal: options.signal } : {};
  try {
    return await ports.guest.presence(name, { timeoutMs: probeMs, ...signal });
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.outcome === "cancelled") throw error;
    return undefined;
  }
}

async function isQuiet(turn: SweepTurn, presence: Presence): Promise<boolean> {
  const dormantAfterMs = turn.options.limits.dormantAfterHours * 3_600_000;
  const idleMs = await sampleCpu(turn, Math.min(sampleGapMs, dormantAfterMs));
  const { now, lastAgentActivityAt = Number.NEGATIVE_INFINITY } = presence;
  return idleMs !== undefined && idleMs >= dormantAfterMs && now - lastAgentActivityAt >= dormantAfterMs;
}

/** Milliseconds of shown idleness; what the sample says now is remembered on the instance. */
async function sampleCpu(turn: SweepTurn, gapMs: number): Promise<number | undefined> {
  const { ports, name, options, verdict } = turn;
  const cpuNs = (await ports.incus.instances.state(name, options.signal))?.cpuNs;
  const nowMs = ports.clock.now();
  let idleMs: number | undefined;
  await writeStamp(ports, name, {
    signal: options.signal,
    decide: (seen) => {
      idleMs = undefined;
      if (seen === undefined || verdict(seen).do !== "probe") return undefined;
      const { cpuSample } = readStamp(seen.config);
      const found = idleness(cpuSample, { nowMs, cpuNs, gapMs });
      idleMs = found.idleMs;
      return found.sample === cpuSample ? undefined : { cpuSample: found.sample };
    },
  });
  return idleMs;
}

const probeMs = 10_000;
