import { Failure } from "@agent-control/base";
import type { Obstacle } from "@agent-control/multiplexer";

const sentences: Record<Obstacle, { readonly message: string; readonly next: string }> = {
  gone: { message: "The pane is gone", next: "Start the agent again" },
  "other-server": {
    message: "The multiplexer server is not the one that the pane was opened on",
    next: "Start the agent again in the running session",
  },
  "other-process": {
    message: "Another process runs in the pane",
    next: "Start the agent again and use the new launch id",
  },
  dead: { message: "The program in the pane has ended", next: "Start the agent again" },
  "in-mode": {
    message: "The pane is in copy mode or another mode",
    next: "Wait until its person leaves the mode (q), then send again",
  },
  "input-off": {
    message: "Input to the pane is switched off",
    next: "Ask its person to switch input on (tmux select-pane -e), then send again",
  },
  synchronized: {
    message: "The pane is synchronised with others",
    next: "Ask its person to switch synchronize-panes off, then send again",
  },
};

/** The Failure for a guarded act that did nothing. */
export function obstacleFailure(obstacle: Obstacle): Failure {
  const { message, next } = sentences[obstacle];
  const outcome = obstacle === "gone" || obstacle === "dead" ? "exited" : "refused";
  return new Failure(outcome, { code: `pane-${obstacle}`, message, next });
}
