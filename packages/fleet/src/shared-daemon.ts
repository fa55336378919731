import { ancestors, Failure, type ProcessTable } from "@agent-control/base";
import { isCodexDaemon } from "@agent-control/harness";

/**
 * Whether this process runs below a daemon that serves several agents at once. Which of them acts cannot be told
 * then: each has the environment and the ancestors of the one that started the daemon.
 */
export function isBelowSharedDaemon(table: ProcessTable): boolean {
  return ancestors(table, table.self().pid).some(({ pid }) => isCodexDaemon(table.argv(pid) ?? []));
}

/** Throws `refused` below such a daemon. */
export function refuseSharedDaemon(table: ProcessTable): void {
  if (!isBelowSharedDaemon(table)) return;
  throw new Failure("refused", {
    code: "caller-shared-daemon",
    message: "This runs below Codex' managed daemon, whose sessions cannot be told apart",
    next: "Start Codex with --no-daemon in a pane of tongs-agents",
  });
}
