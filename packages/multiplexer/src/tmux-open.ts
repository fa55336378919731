import type { OpenRequest, PaneRef } from "./multiplexer.ts";
import { requireArgv, requirePaneName } from "./requests.ts";
import { sessionGone } from "./session-failure.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";
import { paneState } from "./tmux-guard.ts";
import { lastWindow, paneTarget } from "./tmux-target.ts";

// The notice that tmux writes into a dead pane would push the program's first line off the screen; tmux 3.2 has no
// option for it, hence `-q`.
const keeping = [
  ["remain-on-exit", "on"],
  ["remain-on-exit-format", ""],
] as const;

/**
 * Opens a window behind the last one of the session, without moving anybody's focus, and runs `argv` in it. The
 * window's options are set in the same command, so a program that ends at once still leaves its pane.
 */
export async function openPane(client: TmuxClient, request: OpenRequest): Promise<PaneRef> {
  const { session, name } = request;
  requirePaneName(name);
  requireArgv(request.argv);
  const there = lastWindow(session);
  const option = (...words: string[]) => ["set-option", "-w", "-t", there, ...words];
  const answer = await client.ask(
    session.socket,
    sequence(
      ["new-window", "-d", "-a", "-P", "-F", "#{pane_id}", "-t", there, "-n", name, "--", ...request.argv],
      option("allow-rename", "off"),
      ...(request.keepWhenDead ? keeping.map(([name, value]) => option("-q", name, value)) : []),
    ),
  );
  if (!answer.ok) throw sessionGone(session.name);
  const paneId = answer.stdout.trim();
  if (!/^%\d+$/.test(paneId)) throw unreadable(answer.stdout);
  return { session, paneId };
}

/**
 * Gives the pane's window back to the person's own `remain-on-exit` setting; a pane whose program has ended by
 * then is closed, unless that setting keeps it.
 */
export async function releasePane(client: TmuxClient, pane: PaneRef): Promise<void> {
  const target = paneTarget(pane);
  const release = keeping.map(([name]) => `set-option -w -q -u -t '${target}' ${name}`).join(" ; ");
  const closeDead = `if-shell -F -t '${target}' '#{&&:#{pane_dead},#{==:#{remain-on-exit},off}}' "kill-pane -t '${target}'"`;
  await client.ask(
    pane.session.socket,
    sequence(["if-shell", "-F", paneState(pane), `${release} ; ${closeDead}`]),
  );
}

/** Closes the pane if it is in its session. */
export async function closePane(client: TmuxClient, pane: PaneRef): Promise<void> {
  const kill = `kill-pane -t '${paneTarget(pane)}'`;
  await client.ask(pane.session.socket, sequence(["if-shell", "-F", paneState(pane), kill]));
}
