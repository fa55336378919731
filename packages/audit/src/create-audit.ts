import {
  type Clock,
  Failure,
  type Files,
  type Locks,
  type ProcessTable,
  type Random,
  shownText,
} from "@agent-control/base";
import type { Audit, AuditEntry, AuditFields, PendingAudit } from "./audit.ts";
import { readHead } from "./head-file.ts";
import { openLog, reasonOf } from "./log.ts";
import { logPaths } from "./log-paths.ts";
import { abandonedCalls, readPending, releaseRoom, writePending } from "./pending.ts";
import { createFieldCleaner } from "./redact.ts";

export interface AuditOptions {
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: Random;
  readonly processTable: ProcessTable;
  /** The log file, e.g. `<state>/audit/control.jsonl`; its head, lock and pending calls lie beside it. */
  readonly path: string;
  /** Values that must never be written, asked for at every entry. */
  readonly secrets?: () => readonly string[];
  /** Fields whose text is not kept: `bytes` and `sha256` of the text take their place. */
  readonly textFields?: readonly string[];
  /** Takes one sentence about a log that does not work; never throws. */
  readonly diagnose: (line: string) => void;
  /** Size at which a log file is rotated; 16 MiB when left out. */
  readonly maxBytes?: number;
}

/** An audit log that many processes share. Nothing is written before the first call. */
export function createAudit(options: AuditOptions): Audit {
  const { files, clock, random, processTable, diagnose, maxBytes = 16 * 1024 * 1024 } = options;
  const paths = logPaths(options.path);
  const log = openLog({ ...options, paths, maxBytes });
  const clean = createFieldCleaner(options);
  let firstRecovery: Promise<unknown> | undefined;

  async function begin(fields: AuditFields): Promise<PendingAudit> {
    await recoverQuietly();
    const call = Buffer.from(random.bytes(16)).toString("hex");
    try {
      requireWritable();
      const started = new Date(clock.now()).toISOString();
      const record = { process: processTable.self(), started, fields: clean(fields) };
      const size = writePending(files, paths.pending, { call, record });
      return { finish: (entry) => attempt(() => finish(entry, { call, size })) };
    } catch (error) {
      throw unwritable(options.path, error);
    }
  }

  /** Meets the troubles of the final append before the call acts: a directory, a read-only or full disk. */
  function requireWritable(): void {
    files.makeDirectory(paths.pending);
    files.append(paths.log, "");
    readHead(files, paths.head);
  }

  async function finish(entry: AuditEntry, pending: { call: string; size: number }): Promise<void> {
    const line = clean(entry);
    try {
      await log.hold((held) => held.write(line, pending.call));
    } catch (error) {
      if (!(error instanceof Failure && error.code === "file-full")) throw error;
      releaseRoom(files, paths.pending, pending);
      await log.hold((held) => held.write(line, pending.call));
    }
  }

  async function record(entry: AuditEntry): Promise<boolean> {
    firstRecovery ??= recoverQuietly();
    await firstRecovery;
    return attempt(async () => {
      files.makeDirectory(paths.directory);
      await log.hold((held) => held.write(clean(entry)));
    });
  }

  async function attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      diagnose(`A line of the audit log ${shownText(options.path)} was not written. ${reasonOf(error)}`);
      return false;
    }
  }

  /** Whoever acts next, or is new, speaks for the ones that died. */
  function recoverQuietly(): Promise<unknown> {
    return recover().catch((error: unknown) =>
      diagnose(`Interrupted calls are not in the audit log yet. ${reasonOf(error)}`),
    );
  }

  async function recover(): Promise<number> {
    const calls = abandonedCalls(files, paths.pending, processTable);
    if (calls.length === 0) return 0;
    return log.hold((held) => {
      held.end();
      const lines = calls.flatMap((call) => interruptedLine(call) ?? []);
      for (const { call, entry } of lines) held.write(entry, call);
      return lines.length;
    });
  }

  function interruptedLine(call: string): { call: string; entry: AuditEntry } | undefined {
    const found = readPending(files, paths.pending, call);
    if (found === undefined) return undefined;
    const readable = found === "unreadable" ? undefined : found;
    const ts = readable?.started ?? new Date(clock.now()).toISOString();
    const { actor = "unknown", action = "unknown", ...rest }: AuditFields = readable?.fields ?? {};
    const ending = { detail: "interrupted", outcome: "error", exit_code: 1, ms: 0 } as const;
    return { call, entry: { ...rest, ts, actor: String(actor), action: String(action), ...ending } };
  }

  return {
    begin,
    record,
    recover,
    async head() {
      if (!files.look(paths.log) && !files.look(paths.head)) return undefined;
      const { seq, hash } = await log.hold((held) => held.end());
      return seq === 0 ? undefined : { seq, hash };
    },
  };
}

function unwritable(path: string, cause: unknown): unknown {
  if (!(cause instanceof Failure)) return cause;
  return new Failure("error", {
    code: "audit-unwritable",
    message: `Nothing was done, because the call could not be put on record: ${cause.message}`,
    next: `Make the audit log ${shownText(path)} writable or free space on its disk, then call again`,
    cause,
    details: { path },
  });
}
