import { createHash } from "node:crypto";
import { asFailure, Failure, throwIfCancelled } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import { type DeliverableText, deliverableText } from "./deliverable-text.ts";
import { awaitEvidence, type Evidence } from "./evidence.ts";
import { withPaneLock } from "./pane-lock.ts";
import { pasteAndSubmit } from "./paste-and-submit.ts";
import type { PromptMark } from "./prompt-mark.ts";
import { requireFree } from "./require-free.ts";
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
  /** Told once Enter was pressed, before anything that can still be cancelled. */
  readonly onSubmitted?: (mark: PromptMark) => void;
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
  readonly priorTurn: "queued" | "steered" | "interrupted" | undefined;
  /** One line: what was seen. */
  readonly evidence: string;
  /** What a later wait for this prompt's turn needs. */
  readonly mark: PromptMark;
}

/**
 * Types `text` into the agent's pane as one bracketed paste and presses Enter, as the only writer of that pane.
 * Refuses, with nothing typed, when a dialog, a draft, a mode or a missing prompt box stands in the way. The text
 * is never pasted twice. A Failure with `details.typed` came after the prompt was submitted.
 */
export async function deliver(
  ports: PanePorts,
  subject: Subject,
  raw: string,
  options: DeliverOptions,
): Promise<Delivery> {
  const prompt = deliverableText(raw);
  requirePasteable(ports, prompt.bytes);
  return withPaneLock(ports, subject, options.signal, async () => {
    const before = await requireFree(ports, subject, prompt.text, options);
    const turnSequence = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence ?? 0;
    throwIfCancelled(options.signal);
    await pasteAndSubmit(ports, subject, prompt);
    const mark = { turnSequence, at: ports.clock.monotonic(), turnStarted: false };
    const evidence = await afterTyping(() => {
      options.onSubmitted?.(mark);
      const { turnMs, signal } = options;
      const question = { text: prompt.text, before, turnSequenceBefore: turnSequence, turnMs };
      return awaitEvidence(ports, subject, { ...question, ...(signal ? { signal } : {}) });
    });
    return delivery(subject, prompt, { before, mark, evidence });
  });
}

function requirePasteable({ multiplexer }: PanePorts, bytes: number): void {
  const { maxPasteBytes } = multiplexer.capabilities;
  if (bytes <= maxPasteBytes) return;
  throw new Failure("unsupported", {
    code: "paste-too-long",
    message: `The text has ${bytes} bytes; ${multiplexer.name} can paste at most ${maxPasteBytes}`,
    next: "Put it in a file and send the file's path",
  });
}

/** Whoever counts deliveries must count one that was cancelled after it was typed. */
async function afterTyping<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    const { outcome, code, message, next } = failure;
    const details = { ...failure.details, typed: true };
    throw new Failure(outcome, { code, message, next, cause: error, details });
  }
}

function delivery(
  { harness }: Subject,
  { text, bytes }: DeliverableText,
  seen: {
    readonly before: ScreenReading | undefined;
    readonly mark: PromptMark;
    readonly evidence: Evidence;
  },
): Delivery {
  const { submitted, turnStarted, line } = seen.evidence;
  const { midTurn } = harness;
  return {
    bytes,
    sha256: createHash("sha256").update(text).digest("hex"),
    landed: true,
    submitted,
    turnStarted,
    priorTurn: seen.before?.state === "working" && midTurn !== "unknown" ? midTurn : undefined,
    evidence: line,
    mark: { ...seen.mark, turnStarted: turnStarted === true },
  };
}
