import { Failure } from "@agent-control/base";
import { type PaneState, readState, type StateReading } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";

export type Until = "done" | "waiting" | "working" | "exited" | "attention";

export interface WaitOptions {
  readonly until: Until;
  readonly timeoutMs: number;
  /**
   * A prompt whose turn must have begun before "done" counts: the newest turn event before its paste, and when it
   * was pasted (monotonic milliseconds).
   */
  readonly after?: { readonly turnSequence: number; readonly at: number };
  readonly signal: AbortSignal;
  /** Asked about every 5 s; two "no" in a row end the wait with that Failure. */
  readonly verifyCaller: () => Promise<void>;
  /** Told about once a second. */
  readonly progress: (line: string) => void;
}

export interface WaitEnd {
  readonly reading: StateReading;
  /** False when the prompt waited for never began a turn. */
  readonly turnStarted: boolean | undefined;
}

const lookEveryMs = 450;
const verifyEveryMs = 5_000;
/** A screen that contradicts the last hook event counts only after two looks this far apart. */
const settleMs = 900;
const noTurnAfterMs = 10_000;

/**
 * Waits until the agent is in the state. Woken by new status records, so a change is seen at once. Throws Failure
 * `exited` when the agent ends first, `error` in its error state or when it cannot be looked at any more,
 * `timeout` with the state, `refused` when the caller no longer verifies, `cancelled` by the signal.
 */
export async function awaitState(ports: PanePorts, subject: Subject, options: WaitOptions): Promise<WaitEnd> {
  const started = ports.clock.monotonic();
  const nudge = createNudge(ports, options.signal);
  const settled = createSettling(ports);
  const read = createPatientReader(ports, subject, options.until);
  const caller = createCallerCheck(ports, options.verifyCaller);
  try {
    for (;;) {
      const reading = settled(await read());
      const end = reading && conclude(ports, reading, options);
      if (end) return end;
      await caller();
      const elapsed = ports.clock.monotonic() - started;
      if (elapsed >= options.timeoutMs) throw timedOut(reading, options);
      options.progress(`${reading?.state ?? "looking"} for ${Math.round(elapsed / 1000)} s`);
      await nudge.wait(Math.min(lookEveryMs, options.timeoutMs - elapsed));
    }
  } finally {
    nudge.stop();
  }
}

/** Reads the state; a multiplexer that cannot be asked is forgiven for `verifyEveryMs`. */
function createPatientReader(
  ports: PanePorts,
  subject: Subject,
  until: Until,
): () => Promise<StateReading | undefined> {
  let failingSince: number | undefined;
  return async () => {
    try {
      const reading = await readUnlessUnsupported(ports, subject, until);
      failingSince = undefined;
      return reading;
    } catch (error) {
      if (!(error instanceof Failure) || error.outcome !== "unavailable") throw error;
      failingSince ??= ports.clock.monotonic();
      if (ports.clock.monotonic() - failingSince >= verifyEveryMs) throw error;
      return undefined;
    }
  };
}

/** For `exited` the process alone is enough, so a harness without a status can be waited for. */
async function readUnlessUnsupported(
  ports: PanePorts,
  subject: Subject,
  until: Until,
): Promise<StateReading> {
  try {
    return await readState(ports, subject);
  } catch (error) {
    if (until === "exited" && error instanceof Failure && error.outcome === "unsupported")
      return stillRunning;
    throw error;
  }
}

const stillRunning: StateReading = {
  state: "working",
  since: 0,
  detail: "",
  source: "process",
  turnSequence: 0,
  dialog: undefined,
};

function conclude(ports: PanePorts, reading: StateReading, options: WaitOptions): WaitEnd | undefined {
  const { until, after } = options;
  if (reading.state === "exited") {
    if (until === "exited" || until === "attention") return { reading, turnStarted: undefined };
    throw new Failure("exited", {
      code: "target-exited",
      message: `The agent ended before it was ${until}`,
      next: "Start it again with agents_spawn",
      details: { state: "exited" },
    });
  }
  if (reading.state === "error" && until !== "attention") throw agentFailed(reading);
  if (!matches(reading.state, until)) return undefined;
  if (after === undefined || reading.state !== "done") return { reading, turnStarted: undefined };
  if (reading.turnSequence > after.turnSequence) return { reading, turnStarted: true };
  if (ports.clock.monotonic() - after.at >= noTurnAfterMs) return { reading, turnStarted: false };
  return undefined;
}

function matches(state: PaneState, until: Until): boolean {
  return until === "attention"
    ? state === "done" || state === "waiting" || state === "error"
    : state === until;
}

function agentFailed(reading: StateReading): Failure {
  return new Failure("error", {
    code: "agent-error",
    message: `The agent's turn failed${reading.detail === "" ? "" : ` (${reading.detail})`}`,
    next: "Look at the pane, then send again",
    details: { state: "error" },
  });
}

function timedOut(reading: StateReading | undefined, options: WaitOptions): Failure {
  const state = reading?.state ?? "unknown";
  return new Failure("timeout", {
    code: "wait-timeout",
    message: `The agent was not ${options.until} within ${options.timeoutMs / 1000} s; it is ${state}`,
    next: "Wait again, or ask agents_status",
    details: { state },
  });
}

/** Resolves on the next record change, after the given time, or throws `cancelled` at once by the signal. */
function createNudge(ports: PanePorts, signal: AbortSignal) {
  let wake = new AbortController();
  let changed = false;
  const stopWatching = ports.activity.onChange(() => {
    changed = true;
    wake.abort();
  });
  return {
    stop: stopWatching,
    async wait(ms: number): Promise<void> {
      if (!changed) {
        await ports.clock.sleep(ms, AbortSignal.any([signal, wake.signal])).catch((error: unknown) => {
          if (signal.aborted) throw error;
        });
      }
      if (signal.aborted) await ports.clock.sleep(0, signal);
      changed = false;
      wake = new AbortController();
    },
  };
}

/** Holds back a state that only the screen tells until it has stood for `settleMs`. */
function createSettling(ports: PanePorts) {
  let candidate: { readonly state: PaneState; readonly since: number } | undefined;
  return (reading: StateReading | undefined): StateReading | undefined => {
    if (reading?.source !== "screen") {
      candidate = undefined;
      return reading;
    }
    const now = ports.clock.monotonic();
    if (candidate?.state !== reading.state) candidate = { state: reading.state, since: now };
    return now - candidate.since >= settleMs ? reading : undefined;
  };
}

function createCallerCheck(ports: PanePorts, verify: () => Promise<void>): () => Promise<void> {
  let last = ports.clock.monotonic();
  let failed = 0;
  return async () => {
    if (ports.clock.monotonic() - last < verifyEveryMs) return;
    last = ports.clock.monotonic();
    try {
      await verify();
      failed = 0;
    } catch (error) {
      failed += 1;
      if (!(error instanceof Failure)) throw error;
      if (failed >= 2) throw callerLost(error);
    }
  };
}

function callerLost(cause: Failure): Failure {
  return new Failure("refused", {
    code: "caller-not-verified",
    message: `The caller no longer verifies: ${cause.message}`,
    next: cause.next,
    cause,
  });
}
