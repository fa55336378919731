import type { Verification } from "./verify.ts";

/** What was found in a log, for people: the verdict, then what else is worth knowing. */
export function renderVerification({ firstBad, lines, notes }: Verification): string[] {
  const verdict = firstBad
    ? `${firstBad.segment}:${firstBad.line}: line ${firstBad.seq} is not as it was written: ${firstBad.reason}`
    : `${lines} lines are as they were written`;
  return [verdict, ...notes];
}
