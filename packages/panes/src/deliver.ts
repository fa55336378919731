import { createHash } from "node:crypto";
import { asFailure, Failure } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import { deliverableText } from "./deliverable-text.ts";
import { awaitEvidence, type Evidence } from "./evidence.ts";
import { obstacleFailure } from "./obstacle-failure.ts";
import { withPaneLock } from "./pane-lock.ts";
import { awaitReady } from "./ready.ts";
import type { PanePorts, Subject } from "./subject.ts";

export interface DeliverOptions {
  /** Type even while a permission or choice dialog is open. */
  readonly answerDialogs: boolean;
  /** Whether a prompt may be sent during a turn. */
  readonly whileWorking: "allow" | "refuse";
  /** How long the harness may take to show a prompt box, milliseconds. */
  readonly readyMs: number;
  /** How long to look for the turn that the prompt starts, milliseconds; 0 = do not look. */
  readonly turnMs: number;
  readonly signal?: AbortSignal;
}

export interface Delivery {
  /** Of what was pasted. */
  readonly bytes: number;
  /** Hex, of what was pasted. */
  readonly sha256: string;
  readonly landed: true;
  /** Null: cannot be known for this program. */
  readonly submitted: true | null;
  /** From an event or marker newer than the paste; null: cannot be known. */
  readonly turnStarted: boolean | null;
  /** What the harness did with a prompt that came during a turn. */
  readonly priorTurn: "queued" | "interrupted" | undefined;
  /** One line: what was seen. */
  readonly evidence: string;
  /** Newest turn event before the paste; a later one belongs to this prompt or a later one. */
  readonly turnSequenceBefore: number;
}

/**
 * Types `text` into the agent's pane as one bracketed paste and presses Enter, as the only writer of that pane.
 * Refuses, with nothing typed, when a dialog, a draft, a mode or a missing prompt box stands in the way. The text
 * is never pasted twice.
 */
export async function deliver(
  ports: PanePorts,
  subject: Subject,
  raw: string,
  options: DeliverOptions,
): Promise<Delivery> {
  const { text, bytes } = deliverableText(raw);
  await refuseUnsupported(ports, subject, text, bytes);
  return withPaneLock(ports, subject, options.signal, async () => {
    const before = await refuseOccupied(ports, subject, options);
    const turnSequenceBefore = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence ?? 0;
    await pasteAndSubmit(ports, subject, { text, bytes, signal: options.signal });
    const evidence = await awaitEvidence(ports, subject, {
      text,
      before,
      turnSequenceBefore,
      turnMs: options.turnMs,
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch(rethrowAsTyped);
    return delivery(subject, { text, bytes, before, turnSequenceBefore, evidence });
  });
}

async function refuseUnsupported(
  ports: PanePorts,
  subject: Subject,
  text: string,
  bytes: number,
): Promise<void> {
  const { multiplexer } = ports;
  if (bytes > multiplexer.capabilities.maxPasteBytes) {
    throw new Failure("unsupported", {
      code: "paste-too-long",
      message: `The text has ${bytes} bytes; ${multiplexer.name} can paste at most ${multiplexer.capabilities.maxPasteBytes}`,
      next: "Put it in a file and send the file's path",
    });
  }
  if (subject.harness.bracketedPaste || !text.includes("\n")) return;
  const panes = await multiplexer.panes(subject.target.pane.session);
  const pane = panes?.find((seen) => seen.paneId === subject.target.pane.paneId);
  if (pane?.bracketedPaste === true) return;
  throw new Failure("unsupported", {
    code: "bracketed-paste-unknown",
    message: "The program in the pane may take each line of the text as its own input, so nothing was typed",
    next: "Send one line at a time, or set the profile's harness if it is a coding agent",
  });
}

/** The screen before typing, or a refusal that names what is in the way. */
async function refuseOccupied(
  ports: PanePorts,
  subject: Subject,
  options: DeliverOptions,
): Promise<ScreenReading | undefined> {
  await refuseObstacles(ports, subject);
  if (subject.harness.readiness === "none") return undefined;
  const reading = await awaitReady(ports, subject, {
    timeoutMs: options.readyMs,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  if (reading.state === "dialog" && !options.answerDialogs) throw dialogOpen(reading);
  if (reading.draft !== undefined) throw draftStanding();
  if (reading.state === "working" && options.whileWorking === "refuse") throw stillWorking();
  return reading;
}

async function refuseObstacles(ports: PanePorts, subject: Subject): Promise<void> {
  const { pane } = subject.target;
  const seen = (await ports.multiplexer.panes(pane.session))?.find((each) => each.paneId === pane.paneId);
  if (!seen) throw obstacleFailure("gone");
  if (seen.dead) throw obstacleFailure("dead");
  if (seen.inMode) throw obstacleFailure("in-mode");
  if (seen.inputOff) throw obstacleFailure("input-off");
  if (seen.synchronized) throw obstacleFailure("synchronized");
}

async function pasteAndSubmit(
  ports: PanePorts,
  subject: Subject,
  prompt: { readonly text: string; readonly bytes: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const pasted = await ports.multiplexer.paste(subject.target, prompt.text);
  if (!pasted.done) throw obstacleFailure(pasted.obstacle);
  await ports.clock.sleep(settleMs(subject.harness.settleMs, prompt.bytes));
  const entered = await ports.multiplexer.pressEnter(subject.target);
  if (entered.done) return;
  const reason = obstacleFailure(entered.obstacle);
  throw new Failure("error", {
    code: "pasted-not-submitted",
    message: `The text was pasted but not submitted: ${reason.message.toLowerCase()}`,
    next: "Look at the pane before sending again; the text stands in its prompt box",
    cause: reason,
  });
}

/** Whoever counts deliveries must count one that was cancelled after it was typed. */
function rethrowAsTyped(error: unknown): never {
  const failure = asFailure(error);
  if (!failure) throw error;
  const { outcome, code, message, next } = failure;
  throw new Failure(outcome, {
    code,
    message,
    next,
    cause: error,
    details: { ...failure.details, typed: true },
  });
}

/** A harness takes an Enter too soon after a paste for part of the paste. */
function settleMs(harnessMs: number, bytes: number): number {
  return Math.min(2_000, Math.max(250, harnessMs, bytes / 100));
}

function delivery(
  subject: Subject,
  sent: {
    readonly text: string;
    readonly bytes: number;
    readonly before: ScreenReading | undefined;
    readonly turnSequenceBefore: number;
    readonly evidence: Evidence;
  },
): Delivery {
  const { midTurn } = subject.harness;
  return {
    bytes: sent.bytes,
    sha256: createHash("sha256").update(sent.text).digest("hex"),
    landed: true,
    submitted: sent.evidence.submitted,
    turnStarted: sent.evidence.turnStarted,
    priorTurn: sent.before?.state === "working" && midTurn !== "unknown" ? midTurn : undefined,
    evidence: sent.evidence.line,
    turnSequenceBefore: sent.turnSequenceBefore,
  };
}

function dialogOpen(reading: ScreenReading): Failure {
  const { kind, quote } = reading.dialog ?? { kind: "choice", quote: "" };
  return new Failure("refused", {
    code: "dialog-open",
    message: `A ${kind} dialog is open in the pane ("${quote}"), so nothing was typed`,
    next: 'Ask its person to answer it, or wait with agents_wait until: "working", then send again',
  });
}

function draftStanding(): Failure {
  return new Failure("refused", {
    code: "person-typing",
    message:
      "A half-typed text stands in the agent's prompt box (the person is typing), so nothing was typed",
    next: "Send again once the box is empty",
  });
}

function stillWorking(): Failure {
  return new Failure("refused", {
    code: "turn-running",
    message: 'A turn is running and the profile has mcp_send_while_working = "refuse", so nothing was typed',
    next: 'Wait with agents_wait until: "done", then send again',
  });
}
