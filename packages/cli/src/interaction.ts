import type { Readable, Writable } from "node:stream";
import type { Clock } from "@agent-control/base";
import type { Conversation } from "./conversation.ts";
import type { Output } from "./output.ts";
import type { ProgressBody } from "./progress.ts";
import { createStandardInput, type StandardInput } from "./standard-input.ts";
import type { Table } from "./table.ts";
import type { Terminal } from "./terminal.ts";

/** What the process gives to a program: `process` has all of it but the clock. */
export interface Host {
  /** The words after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly signals: SignalSource;
  readonly clock: Pick<Clock, "monotonic">;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where SIGINT, SIGTERM and SIGHUP arrive; `process` is one. */
export interface SignalSource {
  on(name: InterruptingSignal, listener: () => void): unknown;
  off(name: InterruptingSignal, listener: () => void): unknown;
}

export type InterruptingSignal = (typeof interrupting)[number];

/** The ways a running verb talks to the person or program that called it. */
export interface Interaction {
  readonly stdin: StandardInput;
  /** Fires on SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
  /** Writes to stdout now, for a verb with `ownsStdout`; false when nobody reads it any more. */
  print(text: string): Promise<boolean>;
  /**
   * Asks the person on stderr and waits for a line of standard input; undefined at the end of input. Only where
   * `stdin.isTerminal`; not together with `stdin.readText`. Throws `cancelled` when `signal` fires.
   */
  ask(question: string): Promise<string | undefined>;
  /** The table as lines that fit the screen as it is now. */
  renderTable(table: Table): Promise<readonly string[]>;
  /** One line on stderr. */
  warn(sentence: string): Promise<void>;
  /**
   * Shows on stderr that `body` runs: a spinner with the elapsed time on a terminal, plain lines elsewhere.
   * `body` gets a function that says what it is doing now.
   */
  progress<T>(title: string, body: ProgressBody<T>): Promise<T>;
}

const interrupting = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `body` with the ways to talk to its caller. The first signal fires `signal`; a second one finds no
 * listener left, so that it ends a verb that does not stop.
 */
export async function withInteraction<T>(
  host: Host,
  { output, terminal }: { readonly output: Output; readonly terminal: Terminal },
  body: (interaction: Interaction) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = onFirstSignal(host.signals, (name) => abort.abort(new DOMException(name, "AbortError")));
  const { signal } = abort;
  let conversation: Conversation | undefined;
  try {
    return await body({
      stdin: createStandardInput(host.stdin, signal),
      signal,
      ask: async (question) => {
        if (conversation === undefined) {
          const { createConversation } = await import("./conversation.ts");
          conversation = createConversation({ input: host.stdin, output, signal });
        }
        return conversation.ask(question);
      },
      terminal,
      print: (text) => output.answer(text),
      renderTable: async (table) => (await import("./table.ts")).renderTable(table, terminal),
      warn: (sentence) => output.note(sentence),
      progress: async (title, work) => {
        const { withProgress } = await import("./progress.ts");
        return withProgress(title, { output, terminal, signal, clock: host.clock }, work);
      },
    });
  } finally {
    conversation?.close();
    stop();
  }
}

function onFirstSignal(source: SignalSource, react: (name: InterruptingSignal) => void): () => void {
  const listeners = interrupting.map((name) => ({ name, listener: () => hear(name) }));
  const stop = (kept?: InterruptingSignal) => {
    for (const { name, listener } of listeners) if (name !== kept) source.off(name, listener);
  };
  const hear = (name: InterruptingSignal) => {
    stop(name);
    // Not at once: a library that cleans up at a signal ends the process when it finds no other listener.
    queueMicrotask(stop);
    react(name);
  };
  for (const { name, listener } of listeners) source.on(name, listener);
  return stop;
}
