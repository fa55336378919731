import type { ProcessTable } from "@agent-control/base";
import type { Check } from "./check.ts";

/** Codex's managed daemon: it runs MCP servers outside any launch, so that their calls are refused. */
export const codexDaemonCheck: Check = {
  name: "Codex daemon",
  look: ({ machine, facts }) =>
    orphans(machine.processTable)
      .filter((pid) => machine.processTable.look(pid)?.uid === facts.uid)
      .filter((pid) => isManagedDaemon(machine.processTable.argv(pid) ?? []))
      .map((pid) => ({
        check: "Codex daemon",
        level: "warn",
        message: `Codex's managed daemon runs (pid ${pid}); what its MCP servers ask for is refused`,
        next: "Start Codex with --no-daemon, and end the daemon",
      })),
};

/** Processes whose parent has ended: children of pid 1 and of a service manager below it. */
function orphans(table: ProcessTable): number[] {
  const adopted = table.children(1);
  const managers = adopted.filter((pid) => table.look(pid)?.name === "systemd");
  return [...adopted, ...managers.flatMap((pid) => table.children(pid))];
}

function isManagedDaemon(argv: readonly string[]): boolean {
  return argv.includes("app-server") && argv.includes("--managed-daemon");
}
