import { join } from "node:path";
import { Failure, type Files, type Locks, type ProcessIdentity } from "@agent-control/base";

/** A task of any session of this person that counts: it runs, is about to, or nobody saw its end yet. */
export interface LedgerEntry {
  readonly instance: string;
  readonly task: string;
  /** Undefined when the file is not what `reserve` wrote; it counts all the same. */
  readonly note: LedgerNote | undefined;
}

export interface LedgerNote {
  readonly session: string;
  /** The process that launches it. */
  readonly launcher: ProcessIdentity;
  /** False until the guest was told: nobody else can judge it before. */
  readonly launched: boolean;
}

/** One small file per task in a directory that all sessions of a person share; what counts is the names. */
export interface TaskLedger {
  /** Writes the entry if fewer than `limit` are there; the counting is under a lock, so that no two take one place. */
  reserve(entry: LedgerEntry & { readonly note: LedgerNote }, limit: number): Promise<boolean>;
  /** Writes the entry whatever the limit: the task runs. */
  put(entry: LedgerEntry & { readonly note: LedgerNote }): void;
  entries(): readonly LedgerEntry[];
  free(instance: string, task: string): void;
}

export interface LedgerParts {
  readonly files: Files;
  readonly locks: Locks;
  /** Made when missing. */
  readonly directory: string;
}

export function createTaskLedger({ files, locks, directory }: LedgerParts): TaskLedger {
  const pathOf = (instance: string, task: string) => join(directory, `${instance}.${task}.json`);
  const put = ({ instance, task, note }: LedgerEntry & { readonly note: LedgerNote }): void => {
    files.makeDirectory(directory);
    files.write(pathOf(instance, task), renderNote(note), { durable: false });
  };
  const names = () => files.list(directory).filter((name) => namePattern.test(name));
  return {
    put,
    reserve(entry, limit) {
      files.makeDirectory(directory);
      const lock = { waitMs: 10_000, what: "the list of running tasks" };
      return locks.hold(join(directory, "ledger.lock"), lock, () => {
        if (names().length >= limit) return false;
        put(entry);
        return true;
      });
    },
    entries: () =>
      names().map((name) => {
        const [, instance = "", task = ""] = namePattern.exec(name) ?? [];
        return { instance, task, note: readNote(files, join(directory, name)) };
      }),
    free: (instance, task) => {
      files.remove(pathOf(instance, task));
    },
  };
}

const namePattern = /^([A-Za-z0-9-]{1,63})\.([a-z0-9-]{1,40})\.json$/;
const noteLimit = 4096;

function renderNote({ session, launcher, launched }: LedgerNote): string {
  return `${JSON.stringify({ schema: 1, session, launcher, launched })}\n`;
}

// A file that cannot be read or is not ours says nothing about its task, and its name still counts.
function readNote(files: Files, path: string): LedgerNote | undefined {
  try {
    const bytes = files.read(path, noteLimit);
    return bytes && parseNote(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    if (error instanceof Failure || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseNote(text: string): LedgerNote | undefined {
  const value: unknown = JSON.parse(text);
  return isNote(value) ? value : undefined;
}

function isNote(value: unknown): value is LedgerNote {
  if (!isObject(value) || value["schema"] !== 1) return false;
  const launcher = value["launcher"];
  return (
    typeof value["session"] === "string" &&
    typeof value["launched"] === "boolean" &&
    isObject(launcher) &&
    typeof launcher["pid"] === "number" &&
    typeof launcher["start"] === "string" &&
    typeof launcher["bootId"] === "string"
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
