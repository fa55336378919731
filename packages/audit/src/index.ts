export type { Audit, AuditEntry, AuditFields, Head, PendingAudit } from "./audit.ts";
export { type Audited, type AuditedCallOptions, auditedCall, type Note } from "./audited.ts";
export { type AuditOptions, createAudit } from "./create-audit.ts";
export { type LogExamined, type LogFinding, logFindings } from "./log-findings.ts";
export { type LogEntry, newestEntries } from "./newest-entries.ts";
export { hashText, redactSecrets } from "./redact.ts";
export { renderVerification } from "./render-verification.ts";
export { type BadLine, type Verification, type VerifyOptions, verifyLog } from "./verify.ts";
export { parseHead, renderHead } from "./written-head.ts";
