import { type Readable, Writable } from "node:stream";

/** What a stdio server needs of the process it owns. */
export interface OwnedProcess {
  readonly input: Readable;
  readonly output: Writable;
  /** Fires at the first SIGINT, SIGTERM or SIGHUP, or when the parent is gone and that was asked for. */
  readonly stopped: AbortSignal;
  /** Writes one line to standard error. */
  diagnose(line: string): void;
}

export interface OwnProcessOptions {
  /** Also ends within a second after the parent is gone: for a server whose client's signals reach the parent only. */
  readonly endsWithParent?: boolean;
}

/**
 * Makes a process fit to be a stdio server: standard output carries only what is written to `output` (everything
 * else that prints goes to standard error), signals become an orderly end, and a stray error is told, not fatal.
 */
export function ownProcess(process: NodeJS.Process, options: OwnProcessOptions = {}): OwnedProcess {
  const output = takeStandardOutput(process);
  const stopped = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopped.abort());
  if (options.endsWithParent) onOtherParent(process, () => stopped.abort());
  let heard = true;
  const diagnose = (line: string) => void (heard && process.stderr.write(`${line}\n`));
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => diagnose(`Unexpected: ${(error as Error)?.stack ?? error}`));
  }
  // Nobody has to read the diagnostics; a terminal that is gone would fail every one of them.
  process.stderr.on("error", () => {
    heard = false;
  });
  return { input: process.stdin, output, stopped: stopped.signal, diagnose };
}

function onOtherParent(process: NodeJS.Process, react: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && react(), 500).unref();
}

function takeStandardOutput({ stdout, stderr }: NodeJS.Process): Writable {
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => void write(chunk, (error) => done(error)),
  });
  // The same error reaches `output` through the callback above.
  stdout.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  return output;
}
