import type { PaneSeen, SessionRef } from "./multiplexer.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";
import { sessionTarget } from "./tmux-target.ts";

export interface PaneRow extends PaneSeen {
  readonly windowId: string;
  /** tmux has not yet learnt how the program ended. */
  readonly endUnknown: boolean;
}

// What is asked about a pane, and how each answer looks. The title comes last because it may hold the separator;
// tmux keeps control characters out of titles.
const fields = {
  pid: "\\d+",
  session_id: "\\$\\d+",
  window_id: "@\\d+",
  pane_id: "%\\d+",
  pane_pid: "\\d+",
  pane_dead: "[01]?",
  pane_dead_status: "\\d*",
  pane_dead_signal: "\\w*",
  pane_in_mode: "\\d*",
  pane_input_off: "[01]?",
  pane_synchronized: "[01]?",
  bracket_paste_flag: "[01]?",
  pane_width: "\\d+",
  pane_height: "\\d+",
  pane_title: ".*",
};
const format = Object.keys(fields)
  .map((field) => `#{${field}}`)
  .join("|");
const row = new RegExp(
  `^${Object.entries(fields)
    .map(([field, shape]) => `(?<${field}>${shape})`)
    .join("\\|")}$`,
  "u",
);

// tmux 3.3a misses the end of a child now and then, and learns of it when the next one ends.
const endAnotherChild = [["run-shell", "true"]];

/** The panes of exactly this session, each once; undefined when the session or its server does not exist. */
export async function listPanes(client: TmuxClient, session: SessionRef): Promise<PaneRow[] | undefined> {
  const rows = await readRows(client, session, []);
  return rows?.some(({ endUnknown }) => endUnknown) ? readRows(client, session, endAnotherChild) : rows;
}

async function readRows(
  client: TmuxClient,
  session: SessionRef,
  before: readonly (readonly string[])[],
): Promise<PaneRow[] | undefined> {
  const list = ["list-panes", "-s", "-t", sessionTarget(session), "-F", format];
  const answer = await client.ask(session.socket, sequence(...before, list));
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
  const seen = row.exec(line)?.groups as Record<keyof typeof fields, string> | undefined;
  if (seen === undefined) throw unreadable(line);
  const dead = seen.pane_dead === "1";
  const pane = {
    paneId: seen.pane_id,
    windowId: seen.window_id,
    pid: Number(seen.pane_pid),
    serverPid: Number(seen.pid),
    dead,
    deadStatus: seen.pane_dead_status === "" ? undefined : Number(seen.pane_dead_status),
    endUnknown: dead && seen.pane_dead_status === "" && seen.pane_dead_signal === "",
    inMode: Number(seen.pane_in_mode) > 0,
    inputOff: seen.pane_input_off === "1",
    synchronized: seen.pane_synchronized === "1",
    bracketedPaste: seen.bracket_paste_flag === "" ? undefined : seen.bracket_paste_flag === "1",
    title: seen.pane_title,
    width: Number(seen.pane_width),
    height: Number(seen.pane_height),
  };
  return { sessionId: seen.session_id, pane };
}
