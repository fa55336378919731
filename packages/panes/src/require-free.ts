import { Failure } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import { awaitReady, type Ready, saysDialog } from "./ready.ts";
import type { PanePorts, Subject } from "./subject.ts";

interface Occupancy {
  readonly answerDialogs: boolean;
  readonly whileWorking: "allow" | "refuse";
  readonly readyMs: number;
  readonly signal?: AbortSignal;
}

/**
 * The screen just before typing; undefined for a program without markers. Refuses what stands in the way: no prompt
 * box, a dialog, a draft, a running turn where that matters, lines that the program may take one by one. Modes,
 * input off and synchronised panes are the guard's of the paste itself.
 */
export async function requireFree(
  ports: PanePorts,
  subject: Subject,
  text: string,
  options: Occupancy,
): Promise<ScreenReading | undefined> {
  if (!subject.harness.bracketedPaste && text.includes("\n")) await requireBracketedPaste(ports, subject);
  if (subject.harness.readiness === "none") return undefined;
  const ready = await awaitReady(ports, subject, {
    timeoutMs: options.readyMs,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const { reading } = ready;
  const dialog = dialogIn(ready);
  if (dialog && !options.answerDialogs) throw dialogOpen(dialog);
  if (reading.draft !== undefined) throw draftStanding();
  if (reading.state === "working" && options.whileWorking === "refuse") throw stillWorking();
  return reading;
}

async function requireBracketedPaste(ports: PanePorts, subject: Subject): Promise<void> {
  const { session, paneId } = subject.target.pane;
  const pane = (await ports.multiplexer.panes(session))?.find((seen) => seen.paneId === paneId);
  if (pane?.bracketedPaste === true) return;
  throw new Failure("unsupported", {
    code: "bracketed-paste-unknown",
    message: "The program in the pane may take each line of the text as its own input, so nothing was typed",
    next: "Send one line at a time, or set the profile's harness if it is a coding agent",
  });
}

/** A screen without markers leaves the hook's word, which else the screen corrects. */
function dialogIn({ reading, record }: Ready): ScreenReading["dialog"] {
  if (reading.state === "dialog") return reading.dialog ?? { kind: "choice", quote: "" };
  if (reading.state !== "unknown" || !record || !saysDialog(record)) return undefined;
  return { kind: record.detail === "permission" ? "permission" : "choice", quote: record.tool };
}

function dialogOpen({ kind, quote }: NonNullable<ScreenReading["dialog"]>): Failure {
  return new Failure("refused", {
    code: "dialog-open",
    message: `A ${kind} dialog is open in the pane, so nothing was typed`,
    next: 'Ask its person to answer it, or wait with agents_wait until: "working", then send again',
    details: { screen_text: quote },
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
