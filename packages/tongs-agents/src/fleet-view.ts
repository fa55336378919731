import type { StatusRecord } from "@agent-control/activity";
import { Failure } from "@agent-control/base";
import * as z from "zod";

/** One session as the fleet_* tools show it. */
export const sessionShape = z.strictObject({
  id: z.string(),
  harness: z.string(),
  session_id: z.string(),
  launch_id: z.string().optional(),
  repo: z.string(),
  cwd: z.string(),
  pid: z.int().optional(),
  status: z.string().describe("started, working, done, waiting, error or ended."),
  detail: z.string(),
  tool: z.string(),
  needs_attention: z.boolean(),
  age_s: z.int(),
});

export type ShownSession = z.infer<typeof sessionShape>;

/** A record as a reply shows it. */
export function shownSession(record: StatusRecord, nowMs: number): ShownSession {
  return {
    id: record.id,
    harness: record.harness,
    session_id: record.sessionId,
    ...(record.launchId === undefined ? {} : { launch_id: record.launchId }),
    repo: record.repo,
    cwd: record.cwd,
    ...(record.process === undefined ? {} : { pid: record.process.pid }),
    status: record.status,
    detail: record.detail,
    tool: record.tool,
    needs_attention: needsAttention(record),
    age_s: Math.max(0, Math.round((nowMs - record.ts) / 1000)),
  };
}

/** Waiting for an answer, or failed. */
export function needsAttention(record: StatusRecord): boolean {
  return record.status === "error" || (record.status === "waiting" && record.detail !== "idle");
}

/** Live sessions first, then by repository, at most 10 KB of them. */
export function shownSessions(records: readonly StatusRecord[], nowMs: number) {
  const sorted = [...records].sort((a, b) => rank(a) - rank(b) || a.repo.localeCompare(b.repo));
  const sessions: ShownSession[] = [];
  let bytes = 0;
  for (const record of sorted) {
    const shown = shownSession(record, nowMs);
    bytes += Buffer.byteLength(JSON.stringify(shown));
    if (bytes > 9_000) break;
    sessions.push(shown);
  }
  return { sessions, total: sorted.length, truncated: sessions.length < sorted.length };
}

/** Exact id or session id first, then a unique prefix. Throws `error` for none, with the matches for several. */
export function findSession(records: readonly StatusRecord[], text: string): StatusRecord {
  const exact = records.filter((each) => each.id === text || each.sessionId === text);
  const matches =
    exact.length > 0 || text === ""
      ? exact
      : records.filter((each) => each.id.startsWith(text) || each.sessionId.startsWith(text));
  const [only, another] = matches;
  if (only && !another) return only;
  if (!only) {
    throw new Failure("error", {
      code: "session-unknown",
      message: `No session matches ${JSON.stringify(text.slice(0, 80))}`,
      next: "Call fleet_status for the ids",
    });
  }
  throw new Failure("error", {
    code: "session-ambiguous",
    message: `${matches.length} sessions match: ${matches
      .slice(0, 10)
      .map((each) => each.id)
      .join(", ")}`,
    next: "Give more characters of the id",
  });
}

function rank(record: StatusRecord): number {
  if (needsAttention(record)) return 0;
  return record.status === "ended" ? 2 : 1;
}
