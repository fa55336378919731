import { expect, it } from "vitest";
import { entry, headPath, logOf, type MemoryLog, memoryLog, path } from "./memory-log.ts";

const changes: [string, (lines: string[]) => string[], { line: number; reason: RegExp }][] = [
  ["an edit", (l) => l.with(2, at(l, 2).replace('"ms":12', '"ms":13')), { line: 3, reason: /hash is wrong/ }],
  [
    "an edit that is no JSON",
    (l) => l.with(2, at(l, 2).replace('"ms":12', '"ms"')),
    { line: 3, reason: /not a line/ },
  ],
  ["a deleted line", (l) => l.toSpliced(2, 1), { line: 3, reason: /line 3 was expected and 4/ }],
  ["a deleted first line", (l) => l.slice(1), { line: 1, reason: /line 1 was expected and 2/ }],
  [
    "two swapped lines",
    (l) => l.with(1, at(l, 2)).with(2, at(l, 1)),
    { line: 2, reason: /line 2 was expected/ },
  ],
  ["a copied line", (l) => l.toSpliced(3, 0, at(l, 2)), { line: 4, reason: /line 4 was expected and 3/ }],
  ["an inserted line", (l) => l.toSpliced(3, 0, '{"seq":4}'), { line: 4, reason: /hash is wrong/ }],
  ["inserted text", (l) => l.toSpliced(3, 0, "hello"), { line: 4, reason: /not a line/ }],
  ["a cut last line", (l) => l.slice(0, -1), { line: 6, reason: /ends before line 6, which the head file/ }],
  ["no lines at all", () => [], { line: 1, reason: /ends before line 6/ }],
];

it.each(changes)("C-30 finds %s and names the first bad line", async (_, change, { line, reason }) => {
  const log = await logOf(6);
  changeLines(log, change);
  expect(log.verify()).toMatchObject({
    ok: false,
    lines: line - 1,
    firstBad: { segment: "control.jsonl", line },
  });
  expect(log.verify().firstBad?.reason).toMatch(reason);
});

it.each(changes)("C-30 still finds %s after the log went on", async (_, change, { line }) => {
  const log = await logOf(6);
  changeLines(log, change);
  await log.audit.record(entry({ n: 7 }));
  await log.audit.record(entry({ n: 8 }));
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { line } });
});

it("C-30 finds a line whose hash was made to fit by its follower", async () => {
  const log = await logOf(6);
  const forged = await logOf(2);
  await forged.audit.record(entry({ n: 33 }));
  changeLines(log, (lines) => lines.with(2, forged.text().split("\n")[2] ?? ""));
  expect(log.verify()).toMatchObject({
    ok: false,
    firstBad: { line: 4, seq: 4, reason: /does not continue/ },
  });
});

it("C-30 finds the last line rewritten with a fitting hash by the head file", async () => {
  const log = await logOf(2);
  const forged = await logOf(1);
  await forged.audit.record(entry({ n: 22 }));
  log.files.write(path, forged.text());
  expect(log.verify()).toMatchObject({
    ok: false,
    firstBad: { line: 2, reason: /head file knows another line/ },
  });
});

it("C-30 finds a cut in the middle of the last line, before and after the log went on", async () => {
  const log = await logOf(3);
  log.files.truncate(path, log.text().length - 40);
  expect(log.verify()).toMatchObject({ ok: false, lines: 2, firstBad: { line: 3 } });
  await log.audit.record(entry());
  expect(log.verify()).toMatchObject({ ok: false, lines: 2, firstBad: { line: 3 } });
});

it("C-30 finds a cut that was padded to the old size", async () => {
  const log = await logOf(3);
  const [first = "", second = "", third = ""] = log.text().split("\n");
  log.files.write(path, `${first}\n${second}\n${" ".repeat(third.length)}\n`);
  await log.audit.record(entry());
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { line: 3 } });
});

it("C-30 finds a missing file of a rotated log", async () => {
  const log = await logOf(20, { maxBytes: 1_500 });
  log.files.remove(`${path}.2`);
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { segment: "control.jsonl.3", line: 1 } });
});

it("C-30 finds the newest file of a rotated log removed, before and after the log went on", async () => {
  const log = await logOf(20, { maxBytes: 1_500 });
  log.files.remove(path);
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { segment: "control.jsonl" } });
  await log.audit.record(entry());
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { segment: "control.jsonl", line: 1 } });
});

it("C-30 finds that the head file was removed, before and after the log went on", async () => {
  const log = await logOf(4);
  log.files.remove(headPath);
  changeLines(log, (lines) => lines.slice(0, 3));
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { line: 4, reason: /head file is missing/ } });
  await log.audit.record(entry());
  expect(log.verify()).toMatchObject({
    ok: false,
    lines: 3,
    firstBad: { line: 4, reason: /head file was missing/ },
  });
});

it("C-30 finds a log and head file rewritten together by a head that was kept elsewhere", async () => {
  const log = await logOf(5);
  const kept = await log.audit.head();
  const shorter = await logOf(3);
  log.files.write(path, shorter.text());
  log.files.write(headPath, shorter.text(headPath));
  expect(log.verify().ok).toBe(true);
  expect(log.verify(kept)).toMatchObject({
    ok: false,
    firstBad: { seq: 4, reason: /which the kept head knows/ },
  });
});

it("C-30 accepts a log that went on from a kept head, through rotations", async () => {
  const log = await logOf(5, { maxBytes: 1_500 });
  const kept = await log.audit.head();
  for (let n = 6; n <= 15; n += 1) await log.audit.record(entry({ n }));
  expect(log.verify(kept)).toEqual({ ok: true, lines: 15, notes: [] });
  expect(log.verify({ seq: 5, hash: "f".repeat(64) })).toMatchObject({ ok: false, lines: 4 });
});

it("C-30 accepts an empty log", () => {
  expect(memoryLog().verify()).toEqual({ ok: true, lines: 0, notes: [] });
});

it("C-30 finds a changed byte in the torn bytes that the log reported", async () => {
  const log = await logOf(2);
  log.files.append(path, '{"seq":3,"a":"b');
  await log.audit.record(entry());
  changeLines(log, (lines) => lines.with(2, '{"seq":3,"a":"c'));
  expect(log.verify()).toMatchObject({ ok: false, firstBad: { line: 3 } });
});

it("reads a line of many megabytes without keeping it", async () => {
  const log = await logOf(1);
  const huge = Buffer.alloc(24 * 1024 * 1024, "x");
  huge.write('{"a":"');
  log.files.append(path, Buffer.concat([huge, Buffer.from('"}\n')]));
  expect(log.verify()).toMatchObject({ ok: false, lines: 1, firstBad: { line: 2 } });
});

function changeLines(log: MemoryLog, change: (lines: string[]) => string[]): void {
  const lines = change(log.text().trimEnd().split("\n"));
  log.files.write(path, lines.map((line) => `${line}\n`).join(""));
}

function at(lines: readonly string[], index: number): string {
  return lines[index] ?? "";
}
