/** How long the processor of an instance has been idle, as far as samples of successive looks can say. */
export interface Idleness {
  /** The sample to remember, for the stamp; undefined when there is nothing to go by. */
  readonly sample: string | undefined;
  /** Milliseconds of idleness that samples show; undefined when they show none. */
  readonly idleMs: number | undefined;
}

/** Two samples nearer than this say nothing: a working agent may wait for its model that long. */
export const sampleGapMs = 3_600_000;

/**
 * Compares the CPU time used since its start with the last sample, `<ISO instant> <cpu ns> <ISO instant since when
 * idle>`. Idle means less than 1 % of one processor between two samples at least `gapMs` apart. A first look, an
 * unknown or a falling count begin anew; a look that is too early changes nothing and shows no idleness.
 */
export function idleness(
  sample: string | undefined,
  now: { readonly nowMs: number; readonly cpuNs: number | undefined; readonly gapMs: number },
): Idleness {
  const { nowMs, cpuNs, gapMs } = now;
  if (cpuNs === undefined) return { sample: undefined, idleMs: undefined };
  const last = parseSample(sample);
  const beginAnew = { sample: renderSample({ at: nowMs, cpuNs, idleSince: nowMs }), idleMs: undefined };
  if (last === undefined || cpuNs < last.cpuNs || nowMs < last.at) return beginAnew;
  const elapsedMs = nowMs - last.at;
  if (elapsedMs < gapMs || elapsedMs === 0) return { sample, idleMs: undefined };
  if ((cpuNs - last.cpuNs) / (elapsedMs * 1e6) >= idleShare) return beginAnew;
  return {
    sample: renderSample({ at: nowMs, cpuNs, idleSince: last.idleSince }),
    idleMs: nowMs - last.idleSince,
  };
}

interface Sample {
  /** Milliseconds since the epoch, as all times here. */
  readonly at: number;
  readonly cpuNs: number;
  readonly idleSince: number;
}

const idleShare = 0.01;
const format = /^(\S+) (\d{1,19}) (\S+)$/;

function parseSample(text: string | undefined): Sample | undefined {
  const [, at = "", cpu = "", since = ""] = format.exec(text ?? "") ?? [];
  const sample = { at: Date.parse(at), cpuNs: Number(cpu), idleSince: Date.parse(since) };
  return Number.isNaN(sample.at) || Number.isNaN(sample.idleSince) ? undefined : sample;
}

function renderSample({ at, cpuNs, idleSince }: Sample): string {
  return `${new Date(at).toISOString()} ${Math.floor(cpuNs)} ${new Date(idleSince).toISOString()}`;
}
