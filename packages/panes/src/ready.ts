import type { StatusRecord } from "@agent-control/activity";
import { Failure } from "@agent-control/base";
import type { Harness, ScreenReading } from "@agent-control/harness";
import { obstacleFailure } from "./obstacle-failure.ts";
import { readScreen } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";

const lookEveryMs = 250;
/** How long an idle box must stand when no hook ever came: the harness then runs without our hooks. */
const quietWithoutHookMs = 3_000;

/** What a harness that takes a prompt, or asks something, shows and last reported. */
export interface Ready {
  readonly reading: ScreenReading;
  readonly record: StatusRecord | undefined;
}

/**
 * Waits until the harness takes a prompt, and returns what its screen shows then. Refuses with the dialog's name
 * while a start-up dialog is open, and after `timeoutMs` without a prompt box.
 */
export async function awaitReady(
  ports: PanePorts,
  subject: Subject,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Ready> {
  const started = ports.clock.monotonic();
  let readySince: number | undefined;
  for (;;) {
    if (!subject.isAlive()) throw obstacleFailure("dead");
    const reading = await readScreen(ports, subject);
    if (reading === undefined) throw obstacleFailure("gone");
    if (reading.state === "startup") throw startupDialog(reading);
    const record = await ports.activity.ofLaunch(subject.launchId);
    const now = ports.clock.monotonic();
    readySince = seemsReady(reading, record) ? (readySince ?? now) : undefined;
    if (readySince !== undefined && now - readySince >= quietMs(subject.harness, record)) {
      return { reading, record };
    }
    if (now - started >= options.timeoutMs) throw notReady(subject, reading, options.timeoutMs);
    await ports.clock.sleep(lookEveryMs, options.signal);
  }
}

/** A known marker; or a dialog that only a hook tells, which is to be refused as such and not waited out. */
function seemsReady({ state }: ScreenReading, record: StatusRecord | undefined): boolean {
  return state !== "unknown" || saysDialog(record);
}

/** Whether the newest event says that a permission or a choice is asked. */
export function saysDialog(record: StatusRecord | undefined): boolean {
  return record?.status === "waiting" && record.detail !== "idle";
}

/** How long it must seem ready, milliseconds. */
function quietMs(harness: Harness, record: StatusRecord | undefined): number {
  if (record === undefined && harness.readiness === "hook") return quietWithoutHookMs;
  // A harness that has already run a turn is past its start.
  if (record !== undefined && record.turnSequence > 0) return 0;
  return Math.max(harness.readyDelayMs, harness.readiness === "screen" ? lookEveryMs : 0);
}

function startupDialog(reading: ScreenReading): Failure {
  const { kind, quote } = reading.dialog ?? { kind: "startup", quote: "" };
  return new Failure("refused", {
    code: "startup-dialog",
    message: `The agent shows its ${kind} dialog at start, so nothing was typed`,
    next: "Ask its person to answer the dialog in the pane, then send again",
    details: { screen_text: quote },
  });
}

function notReady(subject: Subject, reading: ScreenReading, timeoutMs: number): Failure {
  return new Failure("refused", {
    code: "not-ready",
    message: `${subject.harness.title} showed no prompt box within ${timeoutMs / 1000} s (screen: ${reading.state}), so nothing was typed`,
    next: "Look at the pane, or send again once the agent is ready",
  });
}
