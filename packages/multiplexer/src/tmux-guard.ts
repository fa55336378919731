import type { Acted, Obstacle, PaneRef, Target } from "./multiplexer.ts";
import { badRequest } from "./requests.ts";
import { type Answer, sequence } from "./tmux-client.ts";
import { unreadable } from "./tmux-failure.ts";
import { isThatPane, isThatSession } from "./tmux-target.ts";

/**
 * A tmux format: the state of exactly this pane in exactly this session, as `<pid dead mode off together>`, and
 * nothing when it is not there. Looks through the lists, because a target falls back to another pane.
 */
export function paneState(pane: PaneRef): string {
  const state = "<#{pane_pid} #{pane_dead} #{pane_in_mode} #{pane_input_off} #{pane_synchronized}>";
  const inWindow = `#{P:#{?${isThatPane(pane)},${state},}}`;
  return `#{S:#{?${isThatSession(pane.session)},#{W:${inWindow}},}}`;
}

/**
 * One tmux command that runs `act` if the pane is exactly what the target says and ready for input, and else
 * `instead` and tells what it saw. tmux runs nothing between the look and the act. Both are tmux command text.
 */
export function guarded(target: Target, act: string, instead?: string): string[] {
  const state = paneState(target.pane);
  const expected = `<${panePid(target)} 0 0 0 0>`;
  const holds = `#{&&:#{==:#{pid},${number(target.serverPid)}},#{m:*${expected}*,${state}}}`;
  const tell = `display-message -p '#{pid} ${state}'`;
  return sequence([
    "if-shell",
    "-F",
    holds,
    `${act} ; display-message -p done`,
    instead === undefined ? tell : `${instead} ; ${tell}`,
  ]);
}

/** What became of a guarded act. Throws Failure `unavailable` when tmux did not say. */
export function readActed(answer: Answer, target: Target): Acted {
  if (!answer.ok) return { done: false, obstacle: "gone" };
  if (answer.stdout === "done\n") return { done: true };
  const seen = /^(\d+) (?:<(\d+) ([01]?) (\d*) ([01]?) ([01]?)>)*\n$/.exec(answer.stdout);
  const obstacle = seen === null ? undefined : findObstacle(seen, target);
  if (obstacle === undefined) throw unreadable(answer.stdout);
  return { done: false, obstacle };
}

function findObstacle(seen: RegExpExecArray, target: Target): Obstacle | undefined {
  const [, serverPid, pid, dead, mode, off, together] = seen;
  if (Number(serverPid) !== target.serverPid) return "other-server";
  if (pid === undefined) return "gone";
  if (Number(pid) !== target.panePid) return "other-process";
  if (dead === "1") return "dead";
  if (Number(mode) > 0) return "in-mode";
  if (off === "1") return "input-off";
  return together === "1" ? "synchronized" : undefined;
}

function panePid(target: Target): string {
  if (target.panePid !== undefined) return number(target.panePid);
  throw badRequest(
    "pane-pid-missing",
    `The process of pane ${target.pane.paneId} is not known`,
    "List the panes of the session again",
  );
}

function number(pid: number): string {
  if (Number.isSafeInteger(pid) && pid > 0) return String(pid);
  throw badRequest("bad-pid", `${pid} is not a process id`, "List the panes of the session again");
}
