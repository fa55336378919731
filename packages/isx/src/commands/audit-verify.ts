import { parseHead, renderVerification, verifyLog } from "@agent-control/audit";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const auditVerify = defineCommand({
  description:
    "Reads the audit log from its first line and names the first that was edited, removed, swapped or cut off. With --from it also checks that a head printed by audit head is still in it, so that a rewritten log is found.",
  arguments: [],
  flags: [{ name: "from", type: "string", value: "SEQ:HASH", summary: "A head that was kept elsewhere" }],
  example: "isx audit verify",
  run: async ({ flags: { from } }, { machine, places: { auditLog: path } }: CommandPorts) => {
    const head = from === undefined ? undefined : parseHead(from);
    const result = verifyLog({ files: machine.files, path, ...(head ? { from: head } : {}) });
    return { json: { ...result, path }, human: renderVerification(result), exitCode: result.ok ? 0 : 1 };
  },
});
