import { type Clock, Failure, type Files, type Locks, renderFailure } from "@agent-control/base";
import type { AuditEntry, Head } from "./audit.ts";
import { type ChainEnd, findChainEnd, type Repair } from "./chain-end.ts";
import { genesis, renderLine } from "./chain-line.ts";
import { writeHead } from "./head-file.ts";
import { type LogPaths, nextSegment } from "./log-paths.ts";
import { forgetPending } from "./pending.ts";

export interface LogOptions {
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly paths: LogPaths;
  /** Bytes of the current file above which it is rotated before the next line. */
  readonly maxBytes: number;
  readonly diagnose: (line: string) => void;
}

/** The log while its lock is held. */
export interface HeldLog {
  /** The end of the chain, after forgetting the pending record of a call whose line is already there. */
  end(): Head;
  /** Appends one line with one write and forgets the call's pending record; throws a Failure when it cannot. */
  write(entry: AuditEntry, call?: string): void;
}

export interface Log {
  /** Runs `body` while no other call and no other process writes; throws Failure `busy` after 10 s. */
  hold<T>(body: (log: HeldLog) => T): Promise<T>;
}

/** The file of an audit log, its head file and its lock. */
export function openLog(options: LogOptions): Log {
  const { locks, paths } = options;
  const held: HeldLog = {
    end: () => settle(options).link,
    write: (entry, call) => write(options, entry, call),
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(body) {
      const lock = { waitMs: 10_000, what: "the audit log" };
      const turn = last.then(() => locks.hold(paths.lock, lock, () => body(held)));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function write(options: LogOptions, entry: AuditEntry, call: string | undefined): void {
  const { files, paths } = options;
  const end = settle(options);
  if (end.fresh) writeHead(files, paths.head, { ...genesis, size: end.size });
  const { text, link } = render(options, end, { entry, call });
  const bytes = Buffer.from(text);
  const size = makeRoom(options, end, bytes.length);
  appendWhole(files, paths.log, { bytes, size });
  conclude(options, call, () => writeHead(files, paths.head, { ...link, size: size + bytes.length }));
}

/**
 * A line is written before its pending record goes and the head file moves last. So a writer that dies in
 * between leaves a head that does not know the newest line, and only then can that line's record be left over.
 */
function settle({ files, paths }: LogOptions): ChainEnd {
  const end = findChainEnd(files, paths);
  if (end.call !== undefined) forgetPending(files, paths.pending, end.call);
  return end;
}

function render(
  { clock }: LogOptions,
  end: ChainEnd,
  { entry, call }: { entry: AuditEntry; call: string | undefined },
) {
  const opening = end.open ? "\n" : "";
  if (!end.repair) return prefixed(opening, renderLine(entry, end.link, call));
  const repair = renderLine(repairEntry(end.repair, clock), end.link, undefined);
  return prefixed(opening + repair.text, renderLine(entry, repair.link, call));
}

function prefixed(prefix: string, { text, link }: { text: string; link: Head }) {
  return { text: prefix + text, link };
}

function repairEntry(repair: Repair, clock: Clock): AuditEntry {
  const ts = new Date(clock.now()).toISOString();
  return { ts, actor: "audit", action: "audit", ...repair, outcome: "ok", exit_code: 0, ms: 0 };
}

/** Rotates a file that would grow too large; returns the size of the file that the line goes to. */
function makeRoom({ files, paths, maxBytes }: LogOptions, end: ChainEnd, bytes: number): number {
  if (end.size === 0 || end.open || end.repair || end.size + bytes <= maxBytes) return end.size;
  files.rename(paths.log, nextSegment(files, paths));
  writeHead(files, paths.head, { ...end.link, size: 0 });
  return 0;
}

/** On a full disk a part of a line may have been written: it is ours and is taken back. */
function appendWhole(files: Files, path: string, { bytes, size }: { bytes: Uint8Array; size: number }): void {
  try {
    files.append(path, bytes);
  } catch (error) {
    const seen = files.look(path);
    if (seen?.kind === "file" && seen.size > size) files.truncate(path, size);
    throw error;
  }
}

/** The line is there: what fails now is made good by the next writer. */
function conclude(
  { files, paths, diagnose }: LogOptions,
  call: string | undefined,
  moveHead: () => void,
): void {
  try {
    if (call !== undefined) forgetPending(files, paths.pending, call);
    moveHead();
  } catch (error) {
    diagnose(`The audit line was written, but not all of its bookkeeping. ${reasonOf(error)}`);
  }
}

/** A Failure as its sentence; anything else by its name only, because its text is not ours. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return renderFailure(error);
  return `Unexpected ${error instanceof Error ? error.name : typeof error}.`;
}
