import { join } from "node:path";
import { type Files, isAlive, type ProcessIdentity, type ProcessTable } from "@agent-control/base";
import type { AuditFields } from "./audit.ts";

/** What is known of an acting call before it acts. */
export interface PendingRecord {
  readonly process: ProcessIdentity;
  /** ISO 8601 */
  readonly started: string;
  readonly fields: AuditFields;
}

/**
 * Writes the record of a call and returns the size it can be cut to. The record is padded to whole pages of
 * 4 KiB; as much again and two pages more are kept behind it, so that a full disk still has room for the line,
 * the log's lock and its head file.
 */
export function writePending(files: Files, directory: string, { call, record }: NewPending): number {
  const text = Buffer.from(JSON.stringify(record));
  const recordBytes = Math.ceil((text.length + 1) / page) * page;
  const bytes = Buffer.alloc(recordBytes * 2 + page * 2, " ");
  text.copy(bytes);
  bytes.write("\n", recordBytes - 1);
  files.write(pendingPath(directory, call), bytes, { durable: false });
  return recordBytes;
}

export interface NewPending {
  /** 32 hexadecimal digits */
  readonly call: string;
  readonly record: PendingRecord;
}

/** Gives the room kept behind a record back to the disk; the record itself stays. */
export function releaseRoom(files: Files, directory: string, { call, size }: { call: string; size: number }) {
  files.truncate(pendingPath(directory, call), size);
}

export function forgetPending(files: Files, directory: string, call: string): void {
  files.remove(pendingPath(directory, call));
}

/** The calls whose process is gone, and those whose record says nothing readable. */
export function abandonedCalls(files: Files, directory: string, table: ProcessTable): string[] {
  return files
    .list(directory)
    .flatMap((name) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? [])
    .filter((call) => {
      const record = readPending(files, directory, call);
      return record === "unreadable" || (record !== undefined && !isAlive(table, record.process));
    });
}

/** The record of a call; undefined when it is gone. */
export function readPending(
  files: Files,
  directory: string,
  call: string,
): PendingRecord | "unreadable" | undefined {
  const path = pendingPath(directory, call);
  if (files.look(path)?.kind === "directory") return undefined;
  const bytes = files.read(path, maxPendingBytes);
  return bytes && parseRecord(Buffer.from(bytes).toString("utf8"));
}

function parseRecord(text: string): PendingRecord | "unreadable" {
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : "unreadable";
  } catch {
    return "unreadable";
  }
}

function isRecord(value: unknown): value is PendingRecord {
  if (!isObject(value) || !isObject(value["process"]) || !isObject(value["fields"])) return false;
  const { pid, start, bootId } = value["process"];
  return (
    typeof value["started"] === "string" &&
    typeof pid === "number" &&
    typeof start === "string" &&
    typeof bootId === "string" &&
    Object.values(value["fields"]).every((field) => field === null || plainKinds.has(typeof field))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pendingPath(directory: string, call: string): string {
  return join(directory, `${call}.json`);
}

const page = 4096;
const maxPendingBytes = 8 * 1024 * 1024;
const plainKinds = new Set(["string", "number", "boolean"]);
