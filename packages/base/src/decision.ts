import { Failure, type Outcome } from "./failure.ts";

/** The answer of a rule: a normal "no" is a value, not an exception. */
export type Decision = { readonly allow: true } | Refusal;

export interface Refusal {
  readonly allow: false;
  readonly outcome: Exclude<Outcome, "ok">;
  /** Stable kebab-case word for programs. */
  readonly code: string;
  /** One sentence: why not. */
  readonly reason: string;
  /** One sentence: what to do now. */
  readonly next: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const allowed: Decision = { allow: true };

/** A refusal by policy or verification (`outcome: "refused"`). */
export function refuse(code: string, reason: string, next: string): Refusal {
  return { allow: false, outcome: "refused", code, reason, next };
}

/** Throws the refusal as a Failure; returns when the decision allows. */
export function requireAllowed(decision: Decision): void {
  if (decision.allow) return;
  const { outcome, code, reason, next, details } = decision;
  throw new Failure(outcome, { code, message: reason, next, ...(details ? { details } : {}) });
}
