import { basename } from "node:path";
import { Failure, shownText } from "@agent-control/base";
import { type KeyPath, type Place, renderKeyPath } from "./config-document.ts";

/** One thing that is wrong in a file, without its place. */
export interface Problem {
  readonly keyPath: KeyPath;
  /** Whether the key's name or its value is wrong. */
  readonly part: "key" | "value";
  /** What follows the key in the sentence: "must be true or false, not a string". */
  readonly says: string;
  /** What to do about it, when correcting the file is not all there is to say. */
  readonly advice?: string;
}

/** A problem with its place; `says` is the whole sentence after the place. */
export interface PlacedProblem extends Place {
  readonly says: string;
  readonly advice?: string;
}

/** The problem as a sentence that starts with the key. */
export function place(problem: Problem, where: Place): PlacedProblem {
  const { keyPath, says, advice } = problem;
  const subject = keyPath.length === 0 ? "the file" : renderKeyPath(keyPath);
  return { ...where, says: `${subject} ${says}`, ...(advice === undefined ? {} : { advice }) };
}

/**
 * The Failure (`refused`, code `config-invalid`) of a file with problems: its sentence is about the one that
 * stands first; `details.problems` lists up to 20 as `{line, column, message}` and `details.path` names the file.
 */
export function invalidConfig(path: string, problems: readonly PlacedProblem[], cause?: unknown): Failure {
  const inOrder = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  const first = inOrder[0];
  if (first === undefined) throw new Error("A file without problems is not invalid");
  return new Failure("refused", {
    code: "config-invalid",
    message: `${shownText(basename(path))}:${first.line}:${first.column}: ${first.says}`,
    next: nextStep(path, first, inOrder.length - 1),
    details: { path, problems: inOrder.slice(0, 20).map(listed) },
    cause,
  });
}

/** The Failure (`refused`, code `config-invalid`) of a file whose bytes cannot be had. */
export function unreadableConfig(path: string, why: string, cause?: unknown): Failure {
  return new Failure("refused", {
    code: "config-invalid",
    message: `${shownText(basename(path))} cannot be read: ${why}`,
    next: `Make ${shownText(path)} a readable file or remove it, then try again`,
    details: { path, problems: [] },
    cause,
  });
}

function nextStep(path: string, { advice }: PlacedProblem, more: number): string {
  const rest = more === 0 ? "" : ` (${more} more ${more === 1 ? "problem" : "problems"} in it)`;
  const correct = `orrect ${shownText(path)}${rest} and try again`;
  return advice === undefined ? `C${correct}` : `${advice}; c${correct}`;
}

function listed({ line, column, says }: PlacedProblem): Readonly<Record<string, unknown>> {
  return { line, column, message: says };
}
