import { createHash } from "node:crypto";
import { fileFailure } from "@agent-control/base";
import { expect, it } from "vitest";
import { hashText } from "../src/index.ts";
import { entry, failureOf, headPath, logOf, memoryLog, path, pendingPath } from "./memory-log.ts";

it("C-30 writes one line with its number, the hash before it and its own", async () => {
  const log = memoryLog();
  expect(await log.audit.record(entry({ target: "b", note: undefined }))).toBe(true);
  const [line = ""] = log.text().split("\n");
  const [, body, hash] = /^(.*),"hash":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
  expect(Object.keys(JSON.parse(line))).toEqual([
    "seq",
    "ts",
    "actor",
    "action",
    "target",
    "outcome",
    "exit_code",
    "ms",
    "prev",
    "hash",
  ]);
  expect(JSON.parse(line)).toMatchObject({ seq: 1, prev: "0".repeat(64), target: "b" });
  expect(createHash("sha256").update(`${body}}`).digest("hex")).toBe(hash);
  expect(await log.audit.head()).toEqual({ seq: 1, hash });
});

it("C-30 chains each line to the one before", async () => {
  const log = await logOf(3);
  const lines = log.lines();
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(lines.slice(1).map(({ prev }) => prev)).toEqual(lines.slice(0, 2).map(({ hash }) => hash));
});

it("does not let an entry pose as another line", async () => {
  const log = memoryLog();
  await log.audit.record(entry({ seq: 99, prev: "p", hash: "h", call: "c" }));
  expect(log.lines()[0]).toMatchObject({ seq: 1, prev: "0".repeat(64) });
  expect(log.lines()[0]).not.toHaveProperty("call");
  expect(log.verify().ok).toBe(true);
});

it("has no head before the first line and touches nothing to say so", async () => {
  const log = memoryLog();
  expect(await log.audit.head()).toBeUndefined();
  expect(log.files.look("/state")).toBeUndefined();
});

it("C-30 rotates a full file and keeps the chain through all of them", async () => {
  const log = await logOf(20, { maxBytes: 1_500 });
  const segments = log.files.list("/state/audit").filter((name) => name.startsWith("control.jsonl"));
  expect(segments.length).toBeGreaterThan(3);
  expect(log.verify()).toEqual({ ok: true, lines: 20, notes: [] });
  expect(log.lines(`${path}.1`)[0]).toMatchObject({ seq: 1 });
  expect(log.files.look(path)?.size).toBeLessThanOrEqual(1_500);
});

it("C-30 goes on when a writer died between renaming the full file and the head", async () => {
  const log = await logOf(3);
  log.files.rename(path, `${path}.1`);
  await log.audit.record(entry({ n: 4 }));
  expect(log.lines()).toHaveLength(1);
  expect(log.verify()).toEqual({ ok: true, lines: 4, notes: [] });
});

it("C-30 keeps the head file small", async () => {
  const log = await logOf(700);
  expect(log.files.look(headPath)?.size).toBeLessThan(70_000);
  expect(log.verify()).toEqual({ ok: true, lines: 700, notes: [] });
});

it("C-30 goes on from the newest line when a writer died before the head file knew of it", async () => {
  const log = await logOf(2);
  const head = log.text(headPath);
  await log.audit.record(entry({ n: 3 }));
  log.files.write(headPath, head);
  await log.audit.record(entry({ n: 4 }));
  expect(log.verify()).toEqual({ ok: true, lines: 4, notes: [] });
});

it("C-30 closes a torn tail, says so in a line of its own, and loses no byte of it", async () => {
  const log = await logOf(2);
  const torn = Buffer.from('{"seq":3,"text":"é').subarray(0, -1);
  log.files.append(path, torn);
  expect(log.verify()).toEqual({
    ok: true,
    lines: 2,
    notes: [`control.jsonl:3: the last ${torn.length} bytes are a torn line`],
  });
  await log.audit.record(entry({ n: 3 }));
  expect(log.files.read(path, 1e6)?.includes(0xc3)).toBe(true);
  expect(log.verify()).toMatchObject({
    ok: true,
    lines: 4,
    notes: [expect.stringContaining("torn by a crash")],
  });
});

it("C-30 closes a tail that was torn again while it was being closed", async () => {
  const log = await logOf(2);
  log.files.append(path, '{"seq":3,"a":"\n{"seq":3,"ts":');
  await log.audit.record(entry({ n: 3 }));
  expect(log.verify()).toMatchObject({ ok: true, lines: 4 });
  expect(log.verify().notes).toHaveLength(1);
});

it("C-30 takes a whole line without its line break as the line it is", async () => {
  const log = await logOf(2);
  const head = log.text(headPath);
  await log.audit.record(entry({ n: 3 }));
  log.files.truncate(path, log.text().length - 1);
  log.files.write(headPath, head);
  await log.audit.record(entry({ n: 4 }));
  expect(log.verify()).toEqual({ ok: true, lines: 4, notes: [] });
});

it("C-32 holds at least 4 KiB of disk for an acting call and gives them back", async () => {
  const log = memoryLog();
  const pending = await log.audit.begin({ actor: "mcp", action: "send", password: "password=hunter22" });
  const [name = ""] = log.files.list(pendingPath);
  expect(log.files.look(`${pendingPath}/${name}`)?.size).toBeGreaterThanOrEqual(4096);
  expect(log.text(`${pendingPath}/${name}`)).not.toContain("hunter22");
  expect(await pending.finish(entry())).toBe(true);
  expect(log.files.list(pendingPath)).toEqual([]);
  expect(log.lines()).toMatchObject([{ call: name.replace(".json", "") }]);
});

it("C-32 lets two calls of one process end in any order", async () => {
  const log = memoryLog();
  const first = await log.audit.begin({ actor: "mcp", action: "send" });
  const second = await log.audit.begin({ actor: "mcp", action: "spawn" });
  await Promise.all([
    second.finish(entry({ action: "spawn" })),
    first.finish(entry()),
    log.audit.record(entry()),
  ]);
  expect(log.verify()).toEqual({ ok: true, lines: 3, notes: [] });
});

it("C-32 writes no interrupted line for a call whose line was written before its writer died", async () => {
  const log = memoryLog();
  const other = log.otherProcess(77);
  const pending = await other.begin({ actor: "mcp", action: "send" });
  const [name = ""] = log.files.list(pendingPath);
  const [record, head] = [log.text(`${pendingPath}/${name}`), log.text(headPath)];
  await pending.finish(entry());
  log.files.write(`${pendingPath}/${name}`, record);
  log.files.write(headPath, head || `{"seq":0,"hash":"${"0".repeat(64)}","size":0}\n`);
  log.processTable.exit(77);
  expect(await log.audit.recover()).toBe(0);
  expect(log.files.list(pendingPath)).toEqual([]);
  expect(log.lines()).toMatchObject([{ outcome: "ok" }]);
});

it("C-32 recovers the calls of a dead process once, also one whose pid was reused", async () => {
  const log = memoryLog();
  const other = log.otherProcess(77);
  await other.begin({ actor: "mcp:x", action: "send", target: "b" });
  log.processTable.reuse(77);
  expect(await log.audit.recover()).toBe(1);
  expect(await log.audit.recover()).toBe(0);
  expect(log.lines()).toMatchObject([
    { actor: "mcp:x", action: "send", target: "b", detail: "interrupted", outcome: "error", exit_code: 1 },
  ]);
});

it("C-32 an acting call of a process that has long been logging speaks for one that died meanwhile", async () => {
  const log = await logOf(1);
  await log.otherProcess(77).begin({ actor: "mcp:x", action: "send" });
  log.processTable.exit(77);
  await (await log.audit.begin({ actor: "mcp:y", action: "send" })).finish(entry({ actor: "mcp:y" }));
  expect(log.lines().slice(1)).toMatchObject([
    { actor: "mcp:x", detail: "interrupted" },
    { actor: "mcp:y", outcome: "ok" },
  ]);
});

it("C-32 does not let a damaged pending record pass as no record", async () => {
  const log = memoryLog();
  log.files.makeDirectory(pendingPath);
  log.files.write(`${pendingPath}/${"a".repeat(32)}.json`, '{"process":');
  log.files.place(`${pendingPath}/${"b".repeat(32)}.json`, "directory");
  await log.audit.record(entry());
  expect(log.lines()).toMatchObject([{ actor: "unknown", detail: "interrupted" }, { outcome: "ok" }]);
});

it("C-32 takes nobody for dead when it cannot look, and goes on", async () => {
  const log = memoryLog();
  await log.otherProcess(77).begin({ actor: "mcp", action: "send" });
  log.processTable.exit(77);
  log.processTable.breakWith(fileFailure("file-denied", "/proc"));
  expect(await log.audit.record(entry())).toBe(true);
  expect(log.said).toEqual([expect.stringContaining("/proc may not be used")]);
  expect(log.files.list(pendingPath)).toHaveLength(1);
});

it.each([
  ["a directory", "directory", path],
  ["a FIFO", "fifo", path],
  ["a symlink", "symlink", path],
  ["a head file that is a directory", "directory", headPath],
  ["a pending directory that is a file", "file", pendingPath],
] as const)("C-32 refuses to act when the log is %s", async (_, kind, place) => {
  const log = memoryLog();
  log.files.place(place, kind);
  const failure = await failureOf(log.audit.begin({ actor: "mcp", action: "send" }));
  expect(failure).toMatchObject({ code: "audit-unwritable", outcome: "error", details: { path } });
  expect(failure.next).toContain(path);
  const recorded = await log.audit.record(entry());
  expect(recorded).toBe(place === pendingPath);
  expect(log.said.length > 0).toBe(true);
});

it("C-32 refuses to act on a full disk, and says that a reading call was not recorded", async () => {
  const log = await logOf(1);
  log.files.setDiskFull(true);
  expect(await failureOf(log.audit.begin({ actor: "mcp", action: "send" }))).toMatchObject({
    code: "audit-unwritable",
  });
  expect(await log.audit.record(entry())).toBe(false);
  expect(log.said).toEqual([expect.stringMatching(/^A line of the audit log .* was not written\. .*full/)]);
  log.files.setDiskFull(false);
  expect(await log.audit.record(entry())).toBe(true);
  expect(log.verify()).toEqual({ ok: true, lines: 2, notes: [] });
});

it("C-32 keeps the record of a call whose line could not be written for the next process", async () => {
  const log = memoryLog();
  const other = log.otherProcess(77);
  const pending = await other.begin({ actor: "mcp", action: "send" });
  log.files.setDiskFull(true);
  expect(await pending.finish(entry())).toBe(false);
  log.files.setDiskFull(false);
  log.processTable.exit(77);
  expect(await log.audit.recover()).toBe(1);
});

it("says who holds a log that stays busy", async () => {
  const log = memoryLog();
  log.locks.occupy("/state/audit/control.lock", 99);
  expect(await log.audit.record(entry())).toBe(false);
  expect(log.said).toEqual([expect.stringContaining("Process 99 is using the audit log")]);
});

it("T-32 keeps the bytes and the SHA-256 of a message and never its text", async () => {
  const log = memoryLog({ textFields: ["text"] });
  await log.audit.record(entry({ text: "größe" }));
  expect(log.lines()[0]).toMatchObject(hashText("größe"));
  expect(hashText("größe").bytes).toBe(7);
  expect(log.text()).not.toContain("gr");
});

it("C-31 redacts every field of a line, by value and by shape", async () => {
  const log = memoryLog({ secrets: () => ["hunter22"] });
  await log.audit.record(entry({ actor: "hunter22", detail: "x hunter22 Bearer abcdefgh", command: "y" }));
  expect(log.lines()[0]).toMatchObject({ actor: "[redacted]", detail: "x [redacted] Bearer [redacted]" });
});
