import type { PaneSeen, SessionRef } from "./multiplexer.ts";
import type { TmuxClient } from "./tmux-client.ts";
import { sequence } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";
import { sessionTarget } from "./tmux-target.ts";

export interface PaneRow extends PaneSeen {
  readonly windowId: string;
}

// The title comes last because it may hold the separator; tmux keeps control characters out of titles.
const fields = [
  "session_id",
  "window_id",
  "pane_id",
  "pane_pid",
  "pane_dead",
  "pane_dead_status",
  "pane_in_mode",
  "pane_input_off",
  "pane_synchronized",
  "bracket_paste_flag",
  "pane_width",
  "pane_height",
  "pane_title",
];
const format = fields.map((field) => `#{${field}}`).join("|");
const row =
  /^(\$\d+)\|(@\d+)\|(%\d+)\|(\d+)\|([01]?)\|(\d*)\|(\d*)\|([01]?)\|([01]?)\|([01]?)\|(\d+)\|(\d+)\|(.*)$/u;

/** The panes of exactly this session, each once; undefined when the session or its server does not exist. */
export async function listPanes(client: TmuxClient, session: SessionRef): Promise<PaneRow[] | undefined> {
  const command = ["list-panes", "-s", "-t", sessionTarget(session), "-F", format];
  const answer = await client.ask(session.socket, sequence(command));
  if (!answer.ok) return undefined;
  const rows = new Map<string, PaneRow>();
  for (const line of answer.stdout.split("\n").filter((text) => text !== "")) {
    const { sessionId, pane } = parsePaneRow(line);
    if (sessionId === session.id) rows.set(pane.paneId, pane);
  }
  return rows.size === 0 ? undefined : [...rows.values()];
}

/** Reads one line of the list; throws Failure `unavailable` when it is anything else. */
export function parsePaneRow(line: string): { readonly sessionId: string; readonly pane: PaneRow } {
  const match = row.exec(line);
  if (match === null) throw unreadable(line);
  const [
    ,
    sessionId = "",
    windowId = "",
    paneId = "",
    pid,
    dead,
    status,
    mode,
    off,
    together,
    bracketed,
    width,
    height,
    title = "",
  ] = match;
  const pane = {
    paneId,
    windowId,
    pid: Number(pid),
    dead: dead === "1",
    deadStatus: status === "" ? undefined : Number(status),
    inMode: Number(mode) > 0,
    inputOff: off === "1",
    synchronized: together === "1",
    bracketedPaste: bracketed === "" ? undefined : bracketed === "1",
    title,
    width: Number(width),
    height: Number(height),
  };
  return { sessionId, pane };
}
