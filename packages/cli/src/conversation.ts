import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { orCancelled } from "@agent-control/base";
import type { Output } from "./output.ts";

/** Questions to a person and their answers, a line each. */
export interface Conversation {
  /** Shows the question and waits for a line; undefined at the end of input. Throws `cancelled` when the signal fires. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

interface Streams {
  readonly input: Readable;
  readonly output: Pick<Output, "diagnose">;
  readonly signal: AbortSignal;
}

/**
 * Reads lines as the terminal hands them over, so that Ctrl-C stays a signal. What is typed ahead answers the questions
 * that come.
 */
export function createConversation({ input, output, signal }: Streams): Conversation {
  const lines: string[] = [];
  let isOver = false;
  let wake = () => {};
  const reader = createInterface({ input, terminal: false });
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  reader.on("close", () => {
    isOver = true;
    wake();
  });
  return {
    async ask(question) {
      await output.diagnose(question);
      if (lines.length === 0 && !isOver) {
        const line = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await orCancelled(signal, line);
      }
      return lines.shift();
    },
    close: () => reader.close(),
  };
}
