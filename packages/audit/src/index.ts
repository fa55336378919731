export type { Audit, AuditEntry, AuditFields, Head, PendingAudit } from "./audit.ts";
