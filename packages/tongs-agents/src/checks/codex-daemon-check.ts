import { isCodexDaemon } from "@agent-control/harness";
import type { Check } from "./check.ts";

/** Codex's managed daemon: what its sessions' MCP servers and shells ask for is refused. */
export const codexDaemonCheck: Check = {
  name: "Codex daemon",
  look: ({ machine: { processTable }, facts }) =>
    processTable
      .pids()
      .filter((pid) => isCodexDaemon(processTable.argv(pid) ?? []))
      .filter((pid) => processTable.look(pid)?.uid === facts.uid)
      .map((pid) => ({
        check: "Codex daemon",
        level: "warn",
        message: `Codex's managed daemon runs (pid ${pid}); what its sessions ask for is refused`,
        next: "End it with `codex app-server daemon stop`, and start Codex with --no-daemon",
      })),
};
