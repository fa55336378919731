import { createHash } from "node:crypto";

const hexDigits = 32;

/** `<harness>-<32 hex>`; never the session id itself, which may hold anything. */
export function recordId(event: {
  readonly harness: string;
  readonly sessionId: string;
  readonly instance: string;
}): string {
  const { harness, sessionId, instance } = event;
  const hash = createHash("sha256")
    .update(JSON.stringify([harness, sessionId, instance]))
    .digest("hex");
  return `${harness.replace(/[^a-z0-9]/g, "") || "none"}-${hash.slice(0, hexDigits)}`;
}

/** Whether the text is a record id, and so a safe file name. */
export function isRecordId(text: string): boolean {
  return /^[a-z0-9]+-[0-9a-f]{32}$/.test(text);
}
