import { verifyLog } from "@agent-control/audit";
import { auditLog } from "../main.ts";
import type { Check } from "./check.ts";

const check = "audit log";

/** The audit log: every line as it was written, and its head. */
export const auditCheck: Check = {
  name: check,
  look: async ({ machine, places, audit }) => {
    const path = auditLog(places);
    const { ok, lines, firstBad, notes } = verifyLog({ files: machine.files, path });
    if (!ok) {
      const where = firstBad ? `${firstBad.segment}, line ${firstBad.line}: ${firstBad.reason}` : path;
      const message = `The audit log is not as it was written: ${where}`;
      return [
        {
          check,
          level: "fail",
          message,
          next: "Keep a copy of it, then look with tongs-agents audit verify",
        },
      ];
    }
    const head = await audit.head();
    const message = head
      ? `${lines} lines as they were written, up to ${head.seq}:${head.hash}`
      : "nothing was logged yet";
    return [
      { check, level: "ok", message },
      ...notes.map((note) => ({ check, level: "note" as const, message: note })),
    ];
  },
};
