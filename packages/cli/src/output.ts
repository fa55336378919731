import type { Writable } from "node:stream";
import { Failure, shownText } from "@agent-control/base";

/** The two ways out of a program. Every promise settles when the bytes have left this process. */
export interface Output {
  /** Writes to stdout. A reader that went away is not an error, only false; a full disk is a Failure. */
  answer(text: string): Promise<boolean>;
  /** Writes `<program>: <sentence>` as one line to stderr. */
  note(sentence: string): Promise<void>;
  /** Writes to stderr as it is; never throws, because nobody is left to tell. */
  diagnose(text: string): Promise<void>;
}

/** The output of `program`; from now on an error event of the streams ends nothing. */
export function createOutput(program: string, stdout: Writable, stderr: Writable): Output {
  // The write callback reports the error; without a listener the event would crash the process.
  const ignore = () => {};
  stdout.on("error", ignore);
  stderr.on("error", ignore);
  const diagnose = async (text: string) => {
    await write(stderr, text);
  };
  return {
    answer: async (text) => {
      const error = await write(stdout, text);
      if (error && !readerIsGone(error)) throw outputFailed(error);
      return error === undefined;
    },
    note: (sentence) => diagnose(`${program}: ${shownText(sentence)}\n`),
    diagnose,
  };
}

function write(stream: Writable, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    try {
      stream.write(text, (error) => resolve(error ?? undefined));
    } catch (error) {
      // A stdout that is a file writes synchronously and may throw.
      resolve(error as NodeJS.ErrnoException);
    }
  });
}

function readerIsGone(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
}

function outputFailed(error: NodeJS.ErrnoException): Failure {
  return new Failure("error", {
    code: "output-failed",
    message: `The answer could not be written to standard output (${shownText(error.code ?? error.message)})`,
    next: "Free some space or write somewhere else; what the verb did is done",
    cause: error,
  });
}
