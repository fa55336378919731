import type { PaneRef, SessionRef } from "./multiplexer.ts";
import { badRequest } from "./requests.ts";

/** The session by its id. The colon keeps tmux from also trying the text as the name of a window. */
export function sessionTarget(session: SessionRef): string {
  return `$${sessionNumber(session)}:`;
}

/** The window behind the last one of the session, or the last one. */
export function lastWindow(session: SessionRef): string {
  return `${sessionTarget(session)}{end}`;
}

/** The pane by its id, which one server never gives twice. */
export function paneTarget(pane: PaneRef): string {
  return `%${paneNumber(pane)}`;
}

/** A format that holds for the pane only; the digits alone are safe in every kind of tmux text. */
export function isThatPane(pane: PaneRef): string {
  return `#{m:?${paneNumber(pane)},#{pane_id}}`;
}

/** A format that holds for the session only. */
export function isThatSession(session: SessionRef): string {
  return `#{m:?${sessionNumber(session)},#{session_id}}`;
}

// Ids become part of tmux command text, and they may come from a file.
function sessionNumber(session: SessionRef): string {
  const digits = /^\$(\d{1,10})$/.exec(session.id)?.[1];
  if (digits !== undefined) return digits;
  throw badRequest(
    "bad-session-id",
    `${JSON.stringify(session.id)} is not the id of a tmux session`,
    "Look the session up again",
  );
}

function paneNumber(pane: PaneRef): string {
  const digits = /^%(\d{1,10})$/.exec(pane.paneId)?.[1];
  if (digits !== undefined) return digits;
  throw badRequest(
    "bad-pane-id",
    `${JSON.stringify(pane.paneId)} is not the id of a tmux pane`,
    "List the panes of the session again",
  );
}
