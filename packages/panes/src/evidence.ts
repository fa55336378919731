import { asFailure } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import { isStanding } from "./standing-text.ts";
import { readScreen } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";

export interface Evidence {
  readonly submitted: true | null;
  readonly turnStarted: boolean | null;
  readonly line: string;
}

interface Question {
  readonly text: string;
  /** The screen before the paste; undefined for a program without markers. */
  readonly before: ScreenReading | undefined;
  readonly turnSequenceBefore: number;
  readonly turnMs: number;
  readonly signal?: AbortSignal;
}

const lookEveryMs = 100;
/** How long the text may stand in the box before Enter is pressed once more. */
const enterAgainAfterMs = 700;

/**
 * Whether the prompt began a turn: an event or a marker change newer than the paste, looked for at most `turnMs`.
 * Presses Enter once more, and only once, while the text still stands in the prompt box and no dialog is open. The
 * prompt is typed already, so a multiplexer that cannot be asked makes the answer unknown and is no Failure.
 */
export async function awaitEvidence(
  ports: PanePorts,
  subject: Subject,
  question: Question,
): Promise<Evidence> {
  if (question.before === undefined) return unknowable("this program shows no markers");
  if (question.turnMs === 0) return unknowable("the turn was not waited for");
  const started = ports.clock.monotonic();
  let enteredAgain = false;
  for (;;) {
    const seen = await look(ports, subject, question);
    if (seen.taken) return { submitted: true, ...seen.taken };
    const elapsed = ports.clock.monotonic() - started;
    if (elapsed >= question.turnMs) return closing(subject, question, seen);
    if (seen.box === "pasted" && !enteredAgain && elapsed >= enterAgainAfterMs) {
      enteredAgain = true;
      await ports.multiplexer.pressEnter(subject.target).catch(unlessUnavailable);
    }
    await ports.clock.sleep(lookEveryMs, question.signal);
  }
}

interface Look {
  /** How the prompt was seen to be taken. */
  readonly taken?: Pick<Evidence, "turnStarted" | "line">;
  /** What stands in the prompt box: nothing, the pasted text, another text; hidden: it is not on the screen. */
  readonly box: "empty" | "pasted" | "other" | "hidden";
  /** Why nothing could be seen. */
  readonly problem?: string;
  /** Whether hooks report this launch at all. */
  readonly reported: boolean;
}

async function look(ports: PanePorts, subject: Subject, question: Question): Promise<Look> {
  const record = await ports.activity.ofLaunch(subject.launchId);
  const reported = record !== undefined;
  if (record && record.turnSequence > question.turnSequenceBefore) {
    return { taken: taken(subject, question, `hook ${record.lastEvent}`), box: "hidden", reported };
  }
  const screen = await readScreen(ports, subject).catch(unlessUnavailable);
  if (screen === undefined) return { problem: "the pane is gone", box: "hidden", reported };
  if (typeof screen === "string") return { problem: screen, box: "hidden", reported };
  if (screen.state === "working" && question.before?.state !== "working" && !isCommand(subject, question)) {
    const line = "screen: the working marker appeared after the paste";
    return { taken: { turnStarted: true, line }, box: "hidden", reported };
  }
  return { box: boxOf(screen, question.text), reported };
}

/** A harness that queues reports a prompt when it takes it, which is before the prompt's own turn. */
function taken(subject: Subject, { before }: Question, source: string): NonNullable<Look["taken"]> {
  return before?.state === "working" && subject.harness.midTurn === "queued"
    ? {
        turnStarted: null,
        line: `${source}: the prompt was taken; its turn begins when the running one ends`,
      }
    : { turnStarted: true, line: `${source}: a turn began after the paste` };
}

/** A command shows the working marker while it runs, without a turn. Pi overlooks blanks before it. */
function isCommand({ harness }: Subject, { text }: Question): boolean {
  return harness.commandPrefixes.some((prefix) => text.trimStart().startsWith(prefix));
}

function unlessUnavailable(error: unknown): string {
  const failure = asFailure(error);
  if (failure?.outcome !== "unavailable") throw error;
  return failure.message;
}

function boxOf(screen: ScreenReading, text: string): Look["box"] {
  if (screen.draft !== undefined) return isStanding(text, screen.draft) ? "pasted" : "other";
  return screen.state === "idle" || screen.state === "working" ? "empty" : "hidden";
}

function closing(subject: Subject, question: Question, seen: Look): Evidence {
  const { box, problem, reported } = seen;
  const within = `within ${question.turnMs / 1000} s`;
  const submitted = box === "empty" ? true : null;
  if (box === "pasted") {
    return { submitted, turnStarted: false, line: "screen: the text still stands in the prompt box" };
  }
  if (problem !== undefined) return unknowable(`no turn was seen ${within}: ${problem}`);
  if (isCommand(subject, question)) {
    return { submitted, turnStarted: null, line: `no turn ${within}; the text is a command of the harness` };
  }
  if (!reported && (box === "hidden" || question.before?.state === "working")) {
    return { submitted, turnStarted: null, line: `no turn was seen ${within}, and no hook reports one` };
  }
  return { submitted, turnStarted: false, line: `no turn began ${within}` };
}

function unknowable(line: string): Evidence {
  return { submitted: null, turnStarted: null, line };
}
