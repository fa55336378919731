import type { ScreenReading } from "@agent-control/harness";
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
 * Presses Enter once more, and only once, while the text still stands in the prompt box and no dialog is open.
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
    if (seen.turnStarted) return seen.turnStarted;
    const elapsed = ports.clock.monotonic() - started;
    if (seen.textStands && !enteredAgain && elapsed >= enterAgainAfterMs) {
      enteredAgain = (await ports.multiplexer.pressEnter(subject.target)).done;
    }
    if (elapsed >= question.turnMs) return closing(subject, question, seen);
    await ports.clock.sleep(lookEveryMs, question.signal);
  }
}

interface Look {
  readonly turnStarted: Evidence | undefined;
  readonly textStands: boolean;
  readonly reported: boolean;
  readonly screen: ScreenReading | undefined;
}

async function look(ports: PanePorts, subject: Subject, question: Question): Promise<Look> {
  const record = await ports.activity.ofLaunch(subject.launchId);
  const reported = record !== undefined;
  if (record && record.turnSequence > question.turnSequenceBefore) {
    const line = `hook ${record.lastEvent}: a turn began after the paste`;
    return {
      turnStarted: { submitted: true, turnStarted: true, line },
      textStands: false,
      reported,
      screen: undefined,
    };
  }
  const screen = await readScreen(ports, subject);
  const becameWorking = screen?.state === "working" && question.before?.state !== "working";
  const line = "screen: the working marker appeared after the paste";
  return {
    turnStarted: becameWorking ? { submitted: true, turnStarted: true, line } : undefined,
    textStands: screen?.draft !== undefined,
    reported,
    screen,
  };
}

function closing(subject: Subject, question: Question, seen: Look): Evidence {
  const seconds = question.turnMs / 1000;
  const submitted = seen.screen === undefined || seen.textStands ? null : true;
  if (seen.textStands) {
    return { submitted, turnStarted: false, line: "screen: the text still stands in the prompt box" };
  }
  if (subject.harness.commandPrefixes.some((prefix) => question.text.startsWith(prefix))) {
    return {
      submitted,
      turnStarted: null,
      line: `no turn within ${seconds} s; the text is a command of the harness`,
    };
  }
  if (!seen.reported && question.before?.state === "working") {
    return { submitted, turnStarted: null, line: "a turn was running and no hook reports the next one" };
  }
  return { submitted, turnStarted: false, line: `no turn began within ${seconds} s` };
}

function unknowable(line: string): Evidence {
  return { submitted: null, turnStarted: null, line };
}
