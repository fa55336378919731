import { logFindings } from "@agent-control/audit";
import { auditLog } from "../main.ts";
import type { Check } from "./check.ts";

/** The audit log: every line as it was written, and its head. */
export const auditCheck: Check = {
  name: "audit log",
  look: ({ machine: { files }, places, audit }) =>
    logFindings({ files, path: auditLog(places), audit, verifyWith: "tongs-agents audit verify" }),
};
