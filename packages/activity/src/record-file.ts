import type { ProcessIdentity } from "@agent-control/base";
import type { Status, StatusRecord } from "./activity.ts";

const statuses: readonly Status[] = ["started", "working", "done", "waiting", "error", "ended"];

/** The record as its file holds it: one JSON object, names in snake_case. */
export function renderRecord(record: StatusRecord): string {
  return `${JSON.stringify({
    schema: record.schema,
    id: record.id,
    harness: record.harness,
    session_id: record.sessionId,
    launch_id: record.launchId,
    cwd: record.cwd,
    repo: record.repo,
    pid: record.process?.pid,
    process_start: record.process?.start,
    boot_id: record.process?.bootId,
    status: record.status,
    detail: record.detail,
    tool: record.tool,
    ts: record.ts,
    sequence: record.sequence,
    last_event: record.lastEvent,
    turn_sequence: record.turnSequence,
    turn_ts: record.turnTs,
  })}\n`;
}

/** Reads the bytes of a record file; undefined when they are anything but the record with this id. */
export function parseRecord(id: string, bytes: Uint8Array): StatusRecord | undefined {
  const fields = parseObject(bytes);
  const status = statuses.find((word) => word === fields?.get("status"));
  if (fields?.get("schema") !== 1 || fields.get("id") !== id || !status) return undefined;
  const texts = readAll(fields, isText, [
    "harness",
    "session_id",
    "cwd",
    "repo",
    "detail",
    "tool",
    "last_event",
  ]);
  const counts = readAll(fields, isCount, ["ts", "sequence", "turn_sequence", "turn_ts"]);
  if (!texts || !counts) return undefined;
  const [harness = "", sessionId = "", cwd = "", repo = "", detail = "", tool = "", lastEvent = ""] = texts;
  const [ts = 0, sequence = 0, turnSequence = 0, turnTs = 0] = counts;
  const launch = fields.get("launch_id");
  return {
    schema: 1,
    id,
    harness,
    sessionId,
    launchId: isText(launch) ? launch : undefined,
    cwd,
    repo,
    process: processOf(fields),
    status,
    detail,
    tool,
    ts,
    sequence,
    lastEvent,
    turnSequence,
    turnTs,
  };
}

function parseObject(bytes: Uint8Array): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

function readAll<T>(
  fields: ReadonlyMap<string, unknown>,
  is: (value: unknown) => value is T,
  names: readonly string[],
): T[] | undefined {
  const values = names.map((name) => fields.get(name));
  return values.every(is) ? values : undefined;
}

function processOf(fields: ReadonlyMap<string, unknown>): ProcessIdentity | undefined {
  const pid = fields.get("pid");
  const start = fields.get("process_start");
  const bootId = fields.get("boot_id");
  return isCount(pid) && isText(start) && isText(bootId) ? { pid, start, bootId } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
