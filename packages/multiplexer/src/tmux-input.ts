import type { Random } from "@agent-control/base";
import type { Acted, Target } from "./multiplexer.ts";
import { requirePasteable } from "./requests.ts";
import { sequence, type TmuxClient } from "./tmux-client.ts";
import { guarded, readActed } from "./tmux-guard.ts";
import { paneTarget } from "./tmux-target.ts";

/**
 * Pastes exactly `text` if the target holds; the text travels on standard input into a buffer of its own, which
 * is gone afterwards in every case. Refuses empty text and text over `limit` bytes.
 */
export async function paste(
  client: TmuxClient,
  target: Target,
  request: { readonly text: string; readonly limit: number; readonly random: Random },
): Promise<Acted> {
  requirePasteable(request.text, request.limit);
  const buffer = `agent-control-${Buffer.from(request.random.bytes(12)).toString("hex")}`;
  const act = `paste-buffer -p -r -d -b ${buffer} -t '${paneTarget(target.pane)}'`;
  const commands = [
    ...sequence(["load-buffer", "-b", buffer, "-"]),
    ";",
    ...guarded(target, act, `delete-buffer -b ${buffer}`),
  ];
  const { socket } = target.pane.session;
  try {
    return readActed(await client.ask(socket, commands, request.text), target);
  } catch (error) {
    // Whether this finds a buffer or not, the first error is the one to tell.
    await client.ask(socket, sequence(["delete-buffer", "-b", buffer])).catch(() => undefined);
    throw error;
  }
}

/** Sends one named key if the target holds. */
export async function pressKey(
  client: TmuxClient,
  target: Target,
  key: "Enter" | "Escape" | "C-c",
): Promise<Acted> {
  const command = guarded(target, `send-keys -t '${paneTarget(target.pane)}' ${key}`);
  return readActed(await client.ask(target.pane.session.socket, command), target);
}
