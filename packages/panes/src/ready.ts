import { Failure } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import { obstacleFailure } from "./obstacle-failure.ts";
import { readScreen } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";

const lookEveryMs = 250;
/** How long an idle box must stand when no hook ever came: the harness then runs without our hooks. */
const quietWithoutHookMs = 3_000;

/**
 * Waits until the harness takes a prompt, and returns what its screen shows then. Refuses with the dialog's name
 * while a start-up dialog is open, and after `timeoutMs` without a prompt box.
 */
export async function awaitReady(
  ports: PanePorts,
  subject: Subject,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ScreenReading> {
  const started = ports.clock.monotonic();
  let boxSince: number | undefined;
  for (;;) {
    if (!subject.isAlive()) throw obstacleFailure("dead");
    const reading = await readScreen(ports, subject);
    if (reading === undefined) throw obstacleFailure("gone");
    if (reading.state === "startup") throw startupDialog(reading);
    const now = ports.clock.monotonic();
    boxSince = hasBox(reading) ? (boxSince ?? now) : undefined;
    if (boxSince !== undefined && (await isSettled(ports, subject, now - boxSince))) return reading;
    if (now - started > options.timeoutMs) throw notReady(subject, reading, options.timeoutMs);
    await ports.clock.sleep(lookEveryMs, options.signal);
  }
}

function hasBox(reading: ScreenReading): boolean {
  return reading.state !== "unknown" && reading.state !== "startup";
}

async function isSettled(ports: PanePorts, subject: Subject, boxForMs: number): Promise<boolean> {
  const { harness, launchId } = subject;
  const record = await ports.activity.ofLaunch(launchId);
  if (record === undefined && harness.readiness === "hook") return boxForMs >= quietWithoutHookMs;
  // A harness that has already run a turn is past its start.
  if (record !== undefined && record.turnSequence > 0) return true;
  return boxForMs >= Math.max(harness.readyDelayMs, harness.readiness === "screen" ? lookEveryMs : 0);
}

function startupDialog(reading: ScreenReading): Failure {
  const { kind, quote } = reading.dialog ?? { kind: "startup", quote: "" };
  return new Failure("refused", {
    code: "startup-dialog",
    message: `The agent shows its ${kind} dialog at start ("${quote}"), so nothing was typed`,
    next: "Ask its person to answer the dialog in the pane, then send again",
  });
}

function notReady(subject: Subject, reading: ScreenReading, timeoutMs: number): Failure {
  return new Failure("refused", {
    code: "not-ready",
    message: `${subject.harness.title} showed no prompt box within ${timeoutMs / 1000} s (screen: ${reading.state}), so nothing was typed`,
    next: "Look at the pane, or send again once the agent is ready",
  });
}
