import { basename } from "node:path";
import type { ActivityEvent, StatusRecord } from "./activity.ts";

const textLimit = 256;
const pathLimit = 4_096;

/**
 * The record after the event. An event that is not newer returns the previous record itself, unless it began a
 * turn that no event reported yet: hooks that run side by side may overtake each other.
 */
export function fold(id: string, previous: StatusRecord | undefined, event: ActivityEvent): StatusRecord {
  const turn = turnAfter(previous, event);
  if (previous && event.sequence <= previous.sequence) {
    return turn.turnSequence === previous.turnSequence ? previous : { ...previous, ...turn };
  }
  const cwd = event.cwd.slice(0, pathLimit) || (previous?.cwd ?? "");
  return {
    schema: 1,
    id,
    harness: event.harness.slice(0, textLimit),
    sessionId: event.sessionId.slice(0, textLimit),
    launchId: event.launchId?.slice(0, textLimit) ?? previous?.launchId,
    cwd,
    repo: basename(cwd),
    process: event.process ?? previous?.process,
    status: event.status,
    detail: event.detail.slice(0, textLimit),
    tool: event.tool.slice(0, textLimit),
    ts: event.ts,
    sequence: event.sequence,
    lastEvent: event.event.slice(0, textLimit),
    ...turn,
  };
}

function turnAfter(
  previous: StatusRecord | undefined,
  event: ActivityEvent,
): Pick<StatusRecord, "turnSequence" | "turnTs"> {
  const known = { turnSequence: previous?.turnSequence ?? 0, turnTs: previous?.turnTs ?? 0 };
  if (!event.turnStarted || event.sequence <= known.turnSequence) return known;
  return { turnSequence: event.sequence, turnTs: event.ts };
}
