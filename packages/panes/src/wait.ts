import { type Clock, Failure, orCancelled } from "@agent-control/base";
import { createCallerCheck } from "./caller-check.ts";
import { createNudge } from "./nudge.ts";
import { createPatientReader } from "./patient-reader.ts";
import type { PromptMark } from "./prompt-mark.ts";
import { createSettling } from "./settling.ts";
import type { PaneState, StateReading } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";
import { createTurnCheck, type Turn } from "./turn-check.ts";

export type Until = "done" | "waiting" | "working" | "exited" | "attention";

export interface WaitOptions {
  readonly until: Until;
  readonly timeoutMs: number;
  /** A prompt whose turn must have begun before "done" or "error" counts. */
  readonly after?: PromptMark;
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

/**
 * Waits until the agent is in the state. Woken by new status records, so a change is seen at once. Throws Failure
 * `exited` when the agent ends first, `error` in its error state or when it cannot be looked at any more,
 * `timeout` with the state, `refused` when the caller no longer verifies, `cancelled` by the signal.
 */
export async function awaitState(ports: PanePorts, subject: Subject, options: WaitOptions): Promise<WaitEnd> {
  const { clock } = ports;
  const { signal, timeoutMs } = options;
  const started = clock.monotonic();
  const read = createPatientReader(ports, subject, options.until === "exited");
  const conclude = createConclusion(clock, options);
  const checkCaller = createCallerCheck(clock, options.verifyCaller);
  const tell = createTeller(clock, options.progress);
  const nudge = createNudge(ports, signal);
  let state: PaneState | "unknown" = "unknown";
  try {
    for (;;) {
      const reading = await orCancelled(signal, read());
      const end = reading && conclude(reading);
      if (end) return end;
      await orCancelled(signal, checkCaller());
      state = reading?.state ?? state;
      const elapsed = clock.monotonic() - started;
      if (elapsed >= timeoutMs) throw timedOut(state, options);
      tell(`${state} for ${Math.round(elapsed / 1000)} s`);
      await nudge.wait(Math.min(lookEveryMs, timeoutMs - elapsed));
    }
  } finally {
    nudge.stop();
  }
}

/** Whether a reading ends the wait: its end, undefined to go on, or the Failure of an agent that ended or failed. */
function createConclusion(clock: Clock, { until, after }: WaitOptions) {
  const settled = createSettling(clock);
  const turnOf = createTurnCheck(clock, after);
  return (seen: StateReading): WaitEnd | undefined => {
    const turn = turnOf(seen);
    const reading = settled(seen);
    if (reading === undefined) return undefined;
    if (reading.state === "exited" && until !== "exited" && until !== "attention") throw ended(until);
    // What the turn before left behind says nothing about this prompt.
    if (turn === "awaited" && (reading.state === "done" || reading.state === "error")) return undefined;
    if (reading.state === "error" && until !== "attention") throw agentFailed(reading);
    return matches(reading.state, until) ? { reading, turnStarted: turnStarted(turn, reading) } : undefined;
  };
}

function matches(state: PaneState, until: Until): boolean {
  return until === "attention" ? state !== "working" && state !== "starting" : state === until;
}

function turnStarted(turn: Turn, { state }: StateReading): boolean | undefined {
  return turn === "no-prompt" || state !== "done" ? undefined : turn === "began";
}

function createTeller(clock: Clock, progress: (line: string) => void): (line: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (clock.monotonic() - last < 1_000) return;
    last = clock.monotonic();
    progress(line);
  };
}

function ended(until: Until): Failure {
  return new Failure("exited", {
    code: "target-exited",
    message: `The agent ended before it was ${until}`,
    next: "Start it again with agents_spawn",
    details: { state: "exited" },
  });
}

function agentFailed(reading: StateReading): Failure {
  return new Failure("error", {
    code: "agent-error",
    message: `The agent's turn failed${reading.detail === "" ? "" : ` (${reading.detail})`}`,
    next: "Look at the pane, then send again",
    details: { state: "error" },
  });
}

function timedOut(state: PaneState | "unknown", { until, timeoutMs }: WaitOptions): Failure {
  const now = state === until ? "it has only just become so" : `it is ${state}`;
  return new Failure("timeout", {
    code: "wait-timeout",
    message: `The agent was not ${until} within ${timeoutMs / 1000} s; ${now}`,
    next: "Wait again, or ask agents_status",
    details: { state },
  });
}
