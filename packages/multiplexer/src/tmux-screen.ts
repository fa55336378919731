import type { PaneRef, Screen } from "./multiplexer.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";
import { paneState } from "./tmux-guard.ts";
import { paneTarget } from "./tmux-target.ts";

const facts = "#{cursor_y}|#{cursor_x}|#{pane_width}|#{pane_height}|#{pane_title}";

/** The visible screen and its facts, taken in one tmux command; undefined when the pane is not in its session. */
export async function readScreen(client: TmuxClient, pane: PaneRef): Promise<Screen | undefined> {
  const target = paneTarget(pane);
  const look = `display-message -p -t '${target}' '${facts}' ; capture-pane -p -t '${target}'`;
  const answer = await client.ask(pane.session.socket, sequence(["if-shell", "-F", paneState(pane), look]));
  return answer.ok && answer.stdout !== "" ? parseScreen(answer.stdout) : undefined;
}

/** Reads the line of facts and the rows below it; throws Failure `unavailable` when it is anything else. */
export function parseScreen(printed: string): Screen {
  const [first = "", ...rows] = printed.split("\n");
  const match = /^(\d+)\|(\d+)\|(\d+)\|(\d+)\|(.*)$/u.exec(first);
  if (match === null) throw unreadable(first);
  const [row = 0, column = 0, width = 0, height = 0] = match.slice(1, 5).map(Number);
  const lines = rows.slice(0, height).map((line) => line.replace(/ +$/, ""));
  return { lines, title: match[5] ?? "", cursor: { row, column }, width, height };
}
