import { createInterface } from "node:readline/promises";
import type { Invocation } from "@agent-control/cli";

/** Asks a yes-or-no question on the terminal; no is the default, and the answer where there is no terminal. */
export async function confirm(
  { stdin, terminal, signal }: Pick<Invocation, "stdin" | "terminal" | "signal">,
  question: string,
): Promise<boolean> {
  if (!stdin.isTerminal || !terminal.stderrIsTerminal) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    lines.close();
  }
}
