import type { PaneRef } from "./multiplexer.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { paneState } from "./tmux-guard.ts";
import { listPanes } from "./tmux-panes.ts";
import { paneTarget, sessionTarget } from "./tmux-target.ts";

/** Makes the pane the current one of its session, which every client attached there then shows. */
export async function focusPane(client: TmuxClient, pane: PaneRef): Promise<boolean> {
  const rows = await listPanes(client, pane.session);
  const row = rows?.find(({ paneId }) => paneId === pane.paneId);
  if (row === undefined) return false;
  const window = `${sessionTarget(pane.session)}${row.windowId}`;
  const act = `select-window -t '${window}' ; select-pane -t '${paneTarget(pane)}' ; display-message -p done`;
  const answer = await client.ask(pane.session.socket, sequence(["if-shell", "-F", paneState(pane), act]));
  return answer.ok && answer.stdout === "done\n";
}
