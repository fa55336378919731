import { type Clock, shownText } from "@agent-control/base";
import type { Output } from "./output.ts";
import type { Terminal } from "./terminal.ts";
import { wideRuler } from "./wide-ruler.ts";

/** Work whose course is shown; `step` says what it does now. */
export type ProgressBody<T> = (step: (text: string) => void) => Promise<T>;

interface Surroundings {
  readonly output: Output;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "monotonic">;
}

/**
 * Runs `body`. On a terminal one line of stderr spins with the elapsed time until the work ends or the signal
 * fires, and is then wiped; elsewhere the title and every step are a line each.
 */
export async function withProgress<T>(
  title: string,
  surroundings: Surroundings,
  body: ProgressBody<T>,
): Promise<T> {
  const shown = surroundings.terminal.redraws ? spin(title, surroundings) : lines(title, surroundings);
  try {
    return await body(shown.step);
  } finally {
    await shown.stop();
  }
}

interface Shown {
  step(text: string): void;
  stop(): Promise<void>;
}

const frames = ["|", "/", "-", "\\"];
const redrawMs = 100;
const startOfLine = "\r\u001b[K";

function spin(title: string, { output, terminal, signal, clock }: Surroundings): Shown {
  const started = clock.monotonic();
  let text = title;
  let turn = 0;
  let running = true;
  const draw = () => {
    const frame = frames[turn++ % frames.length];
    const line = `${frame} ${shownText(text)} ${elapsed(clock.monotonic() - started)}`;
    // The last column stays free: writing into it makes some terminals wrap.
    void output.diagnose(startOfLine + wideRuler.cut(line, terminal.stderrColumns - 1));
  };
  const timer = setInterval(draw, redrawMs);
  const stop = async () => {
    if (!running) return;
    running = false;
    clearInterval(timer);
    signal.removeEventListener("abort", stop);
    await output.diagnose(startOfLine);
  };
  signal.addEventListener("abort", stop, { once: true });
  draw();
  return {
    step: (now) => {
      text = `${title}: ${now}`;
    },
    stop,
  };
}

function lines(title: string, { output }: Surroundings): Shown {
  void output.note(`${title}…`);
  return {
    step: (now) => void output.note(`${title}: ${now}`),
    stop: async () => {},
  };
}

function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
