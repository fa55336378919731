import { Failure } from "@agent-control/base";
import { expect, it } from "vitest";
import { type AuditedCallOptions, auditedCall } from "../src/index.ts";
import { failureOf, type MemoryLog, memoryLog, pendingPath } from "./memory-log.ts";

it("C-30 writes one line for a call, with what it noted", async () => {
  const log = memoryLog();
  const result = await auditedCall(log.audit, reading(log, { fields: { caller: "a" } }), async (note) => {
    note({ caller: "b", bytes: 3 });
    await log.clock.advance(40);
    return 7;
  });
  expect(result).toEqual({ value: 7, auditFailed: false });
  expect(log.lines()).toMatchObject([
    { actor: "mcp", action: "status", caller: "b", bytes: 3, outcome: "ok", exit_code: 0, ms: 40 },
  ]);
});

it("C-30 writes the outcome and exit code of a refusal and of a cancelled call, and throws on what was thrown", async () => {
  const log = memoryLog();
  const refused = new Failure("refused", { code: "no", message: "Not allowed", next: "Ask" });
  const aborted = new DOMException("stopped", "AbortError");
  for (const thrown of [refused, aborted]) {
    const call = auditedCall(log.audit, reading(log), () => Promise.reject(thrown));
    await expect(call).rejects.toBe(thrown);
  }
  expect(log.lines()).toMatchObject([
    { outcome: "refused", exit_code: 5 },
    { outcome: "cancelled", exit_code: 130 },
  ]);
});

it("writes a bug as an error, without its text, and throws it on", async () => {
  const log = memoryLog();
  const bug = new TypeError("secret text");
  await expect(auditedCall(log.audit, acting(log), () => Promise.reject(bug))).rejects.toBe(bug);
  expect(log.lines()).toMatchObject([{ outcome: "error", exit_code: 1 }]);
  expect(log.text()).not.toContain("secret text");
});

it("names the outcome of a value that is no success", async () => {
  const log = memoryLog();
  await auditedCall(log.audit, { ...reading(log), outcomeOf: () => "timeout" }, () => "late");
  expect(log.lines()).toMatchObject([{ outcome: "timeout", exit_code: 3 }]);
});

it("C-32 has an acting call on record while it runs", async () => {
  const log = memoryLog();
  const during = await auditedCall(log.audit, acting(log), () => log.files.list(pendingPath).length);
  expect(during.value).toBe(1);
  expect(log.files.list(pendingPath)).toEqual([]);
  expect(log.lines()).toHaveLength(1);
});

it("C-32 refuses an acting call before it acts when it cannot be put on record", async () => {
  const log = memoryLog();
  log.files.setDiskFull(true);
  let acted = false;
  const call = auditedCall(log.audit, acting(log), () => {
    acted = true;
  });
  expect((await failureOf(call)).code).toBe("audit-unwritable");
  expect(acted).toBe(false);
});

it("C-32 lets a stopping call go on unaudited, with a warning", async () => {
  const log = memoryLog();
  log.files.setDiskFull(true);
  const stopping = { ...acting(log), evenUnaudited: true };
  expect(await auditedCall(log.audit, stopping, () => "stopped")).toEqual({
    value: "stopped",
    auditFailed: true,
  });
  expect(log.said).toEqual([
    expect.stringMatching(/^The call goes on although/),
    expect.stringMatching(/^A line of the audit log/),
  ]);
});

it("C-32 lets a reading call go on and says so", async () => {
  const log = memoryLog();
  log.files.setDiskFull(true);
  expect(await auditedCall(log.audit, reading(log), () => 1)).toEqual({ value: 1, auditFailed: true });
  expect(log.said).toHaveLength(1);
});

it("C-32 keeps the outcome when the final append fails, and marks it", async () => {
  const log = memoryLog();
  const result = await auditedCall(log.audit, acting(log), () => log.files.setDiskFull(true));
  expect(result.auditFailed).toBe(true);
  log.files.setDiskFull(false);
  const call = auditedCall(log.audit, acting(log), () => {
    log.files.setDiskFull(true);
    throw new Failure("exited", { code: "gone", message: "It is gone", next: "Look", details: { a: 1 } });
  });
  expect(await failureOf(call)).toMatchObject({
    outcome: "exited",
    code: "gone",
    details: { a: 1, audit: "failed" },
  });
});

function reading<T>(log: MemoryLog, more: Partial<AuditedCallOptions<T>> = {}): AuditedCallOptions<T> {
  return { clock: log.clock, diagnose: log.diagnose, actor: "mcp", action: "status", acting: false, ...more };
}

function acting<T>(log: MemoryLog): AuditedCallOptions<T> {
  return reading<T>(log, { action: "send", acting: true });
}
