import { renderHead } from "@agent-control/audit";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const auditHead = defineCommand({
  description: "Prints number and hash of the newest line of the audit log, for audit verify --from.",
  arguments: [],
  flags: [],
  example: "isx audit head > ~/elsewhere/isx.head",
  run: async (_invocation, ports: CommandPorts) => {
    const head = await ports.audit.head();
    return head
      ? { json: { ok: true, ...head }, human: renderHead(head) }
      : { json: { ok: true, seq: 0, hash: null }, human: "The audit log is empty" };
  },
});
