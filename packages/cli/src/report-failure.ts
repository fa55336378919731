import { asFailure, type Failure, plainText, renderFailure, shownText } from "@agent-control/base";
import type { Output } from "./output.ts";
import { renderJson } from "./render-answer.ts";

interface Reporting {
  readonly program: string;
  readonly output: Output;
  /** Also answer with one JSON object on stdout. */
  readonly json: boolean;
}

/** Tells the caller why a verb failed and returns the exit code. Anything but a Failure is a bug. */
export async function reportFailure(error: unknown, reporting: Reporting): Promise<number> {
  const failure = asFailure(error);
  return failure ? reportKnown(failure, reporting) : reportBug(error, reporting);
}

async function reportKnown(failure: Failure, { output, json }: Reporting): Promise<number> {
  const { outcome, exitCode, code, details } = failure;
  const sentence = renderFailure(failure);
  await output.note(sentence);
  if (typeof details["screen_text"] === "string") await output.diagnose(quoted(details["screen_text"]));
  // A failed write of the answer cannot be answered on the same stream.
  if (json && code !== "output-failed") {
    const facts = { ok: false, outcome, exit_code: exitCode, code, error: sentence };
    await output.answer(renderJson(Object.keys(details).length > 0 ? { ...facts, details } : facts, false));
  }
  return exitCode;
}

/** Another program's words, set apart from this one's. */
function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `  | ${shownText(line)}\n`)
    .join("");
}

async function reportBug(error: unknown, { program, output, json }: Reporting): Promise<number> {
  const sentence = `This is a bug in ${program}. Please report it with the lines on standard error.`;
  await output.note(sentence);
  await output.diagnose(
    `${plainText(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  );
  if (json) {
    const facts = { ok: false, outcome: "error", exit_code: 1, code: "internal-error", error: sentence };
    await output.answer(renderJson(facts, false));
  }
  return 1;
}
