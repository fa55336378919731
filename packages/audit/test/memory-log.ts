import type { Failure } from "@agent-control/base";
import {
  fakeClock,
  fakeProcessTable,
  fakeRandom,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { type AuditEntry, type AuditOptions, createAudit, verifyLog } from "../src/index.ts";

export const path = "/state/audit/control.jsonl";
export const headPath = "/state/audit/control.head";
export const pendingPath = "/state/audit/control.pending";

/** A log in memory, with the diagnostics that it gave. */
export function memoryLog(options: Partial<AuditOptions> = {}) {
  const clock = fakeClock({ autoAdvance: true });
  const files = memoryFiles();
  const processTable = fakeProcessTable();
  const locks = memoryLocks(clock);
  const said: string[] = [];
  const random = fakeRandom();
  const diagnose = (line: string) => {
    said.push(line);
  };
  const ports = { files, locks, clock, random, processTable, path, diagnose };
  return {
    ...ports,
    said,
    audit: createAudit({ ...ports, ...options }),
    /** The same log as another process sees it. */
    otherProcess: (pid: number) =>
      createAudit({
        ...ports,
        random: fakeRandom(pid),
        processTable: { ...processTable, self: () => processTable.add({ pid }) },
        ...options,
      }),
    verify: (from?: { seq: number; hash: string }) => verifyLog({ files, path, ...(from ? { from } : {}) }),
    text: (name = path) => Buffer.from(files.read(name, 1e8) ?? []).toString(),
    lines(name = path): Record<string, unknown>[] {
      return this.text(name).trimEnd().split("\n").map(asLine);
    },
  };
}

export type MemoryLog = ReturnType<typeof memoryLog>;

export function entry(fields: Partial<AuditEntry> = {}): AuditEntry {
  const ts = "2026-01-02T03:04:05.678Z";
  return { ts, actor: "mcp:abc", action: "send", outcome: "ok", exit_code: 0, ms: 12, ...fields };
}

/** A log of `count` lines, each with its number as `n`. */
export async function logOf(count: number, options: Partial<AuditOptions> = {}): Promise<MemoryLog> {
  const log = memoryLog(options);
  for (let n = 1; n <= count; n += 1) await log.audit.record(entry({ n }));
  return log;
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => {
      throw new Error("expected a Failure");
    },
    (error: Failure) => error,
  );
}

function asLine(text: string): Record<string, unknown> {
  return JSON.parse(text);
}
