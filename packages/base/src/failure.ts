/** The words that a CLI exit code, an MCP reply and an audit line share for how a call ended. */
export type Outcome =
  | "ok"
  | "error"
  | "usage"
  | "timeout"
  | "exited"
  | "refused"
  | "rate-limited"
  | "unsupported"
  | "unavailable"
  | "cancelled";

/** The exit code of a CLI verb for each outcome. */
export const exitCodes: Readonly<Record<Outcome, number>> = {
  ok: 0,
  error: 1,
  usage: 2,
  timeout: 3,
  exited: 4,
  refused: 5,
  "rate-limited": 5,
  unsupported: 6,
  unavailable: 7,
  cancelled: 130,
};

export interface FailureParts {
  /** Stable kebab-case word for programs, e.g. `caller-not-verified`. */
  readonly code: string;
  /** One sentence saying what is wrong, without the next step. */
  readonly message: string;
  /** One sentence saying what to do now. */
  readonly next: string;
  readonly cause?: unknown;
  /**
   * Facts for programs, e.g. `{ retry_after_s: 12 }`; never secrets. What a pane showed goes into `screen_text`, and
   * never into a sentence, so that nobody takes it for this program's own word.
   */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The one error type: thrown anywhere, turned into text only by the shells (`cli`, `mcp`). */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly outcome: Exclude<Outcome, "ok">;
  readonly code: string;
  readonly next: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(outcome: Exclude<Outcome, "ok">, parts: FailureParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.outcome = outcome;
    this.code = parts.code;
    this.next = parts.next;
    this.details = parts.details ?? {};
  }

  get exitCode(): number {
    return exitCodes[this.outcome];
  }
}

/** What is wrong and what to do now, as one line. */
export function renderFailure(failure: Failure): string {
  return `${sentence(failure.message)} ${sentence(failure.next)}`.replace(/\s+/g, " ").trim();
}

/** Passes a Failure through and turns a cancelled wait into one; anything else is a bug and stays an Error. */
export function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof Error && error.name === "AbortError") return cancelled(error);
  return undefined;
}

/** The Failure of a call that its caller stopped. */
export function cancelled(cause?: unknown): Failure {
  return new Failure("cancelled", {
    code: "cancelled",
    message: "The call was cancelled",
    next: "Call again if the answer is still wanted",
    cause,
  });
}

/** Throws the cancelled Failure when the signal has fired. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(signal.reason);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
