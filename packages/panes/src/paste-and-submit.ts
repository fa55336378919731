import { asFailure, Failure } from "@agent-control/base";
import type { DeliverableText } from "./deliverable-text.ts";
import { obstacleFailure } from "./obstacle-failure.ts";
import type { PanePorts, Subject } from "./subject.ts";

/**
 * Pastes the text once and presses Enter once, each only while the target holds. Not to be cancelled in between.
 * Throws the obstacle with nothing typed, or `pasted-not-submitted`, or `unavailable` saying what is not known.
 */
export async function pasteAndSubmit(
  ports: PanePorts,
  subject: Subject,
  { text, bytes }: DeliverableText,
): Promise<void> {
  const { multiplexer, clock } = ports;
  const pasted = await multiplexer
    .paste(subject.target, text)
    .catch(uncertain("paste-unknown", "It is not known whether the text was pasted"));
  if (!pasted.done) throw obstacleFailure(pasted.obstacle);
  await clock.sleep(settleMs(subject.harness.settleMs, bytes));
  const entered = await multiplexer
    .pressEnter(subject.target)
    .catch(uncertain("enter-unknown", "The text was pasted, but it is not known whether it was submitted"));
  if (!entered.done) throw notSubmitted(obstacleFailure(entered.obstacle));
}

/** A harness takes an Enter too soon after a paste for part of the paste. */
function settleMs(harnessMs: number, bytes: number): number {
  return Math.min(2_000, Math.max(250, harnessMs, bytes / 100));
}

function uncertain(code: string, message: string): (error: unknown) => never {
  return (error) => {
    const failure = asFailure(error);
    if (failure?.outcome !== "unavailable") throw error;
    throw new Failure("unavailable", {
      code,
      message: `${message}: ${failure.message}`,
      next: "Look at the pane before sending again",
      cause: failure,
    });
  };
}

function notSubmitted(reason: Failure): Failure {
  return new Failure("error", {
    code: "pasted-not-submitted",
    message: `The text was pasted, not submitted: ${reason.message}`,
    next: "Look at the pane before sending again; the text stands in its prompt box",
    cause: reason,
  });
}
