import type { Invocation } from "@agent-control/cli";
import { askYesOrNo } from "./setup/questions.ts";

/** Asks a yes-or-no question on the terminal; no is the default, and the answer where there is no terminal. */
export async function confirm(
  { stdin, terminal, ask }: Pick<Invocation, "stdin" | "terminal" | "ask">,
  question: string,
): Promise<boolean> {
  if (!stdin.isTerminal || !terminal.stderrIsTerminal) return false;
  return (await askYesOrNo(ask, question, false)) === true;
}
