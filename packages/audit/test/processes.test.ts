import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { createAudit, verifyLog } from "../src/index.ts";
import { buildWriter, start, temporaryDirectory } from "./fixture.ts";
import { machine } from "./machine.ts";

const { files } = machine;
let writer = "";
beforeAll(async () => {
  writer = await buildWriter();
});

it("C-30 keeps 16 processes × 1 000 lines apart, some over 4 KiB, none lost", {
  timeout: 240_000,
}, async () => {
  const directory = join(temporaryDirectory(), "state");
  const path = join(directory, "control.jsonl");
  const writers = Array.from({ length: 16 }, () => start(writer, ["append", path, 1_000]));
  const codes = await Promise.all(writers.map(({ ended }) => ended));
  expect(codes).toEqual(codes.map(() => 0));
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map(asLine);
  const perWriter = countBy(lines.map(({ actor }) => String(actor)));
  expect([...perWriter.values()]).toEqual(writers.map(() => 1_000));
  expect(verifyLog({ files, path })).toEqual({ ok: true, lines: 16_000, notes: [] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "control.head")).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(existsSync(join(directory, "control.lock"))).toBe(false);
});

it("C-30 C-32 loses no call and breaks no chain when writers are killed at random points", {
  timeout: 120_000,
}, async () => {
  const path = join(temporaryDirectory(), "control.jsonl");
  const finished = new Map<number, { begun: number; finished: number }>();
  for (let round = 0; round < 12; round += 1) {
    const pair = [start(writer, ["act", path, 100_000]), start(writer, ["act", path, 100_000])];
    await Promise.all(pair.map((running) => running.printed("f 3\n")));
    const random = machine.random.bytes(2);
    for (const [index, { child, ended, output }] of pair.entries()) {
      await machine.clock.sleep((random[index] ?? 0) / 8);
      child.kill("SIGKILL");
      expect(await ended).toBe("SIGKILL");
      finished.set(child.pid ?? 0, { begun: last(output(), "b"), finished: last(output(), "f") });
    }
  }
  await createAudit({ ...machine, path, diagnose: fail }).recover();
  const result = verifyLog({ files, path });
  expect(result).toMatchObject({ ok: true });
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => parsed(line));
  for (const [pid, seen] of finished) {
    const numbers = lines.filter(({ actor }) => actor === `p${pid}`).map(({ n }) => Number(n));
    // Each begun call has exactly one line, in order; the last may have begun without being able to say so.
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(seen.begun);
    expect(numbers.length).toBeLessThanOrEqual(seen.finished + 2);
  }
  expect(readdirSync(join(path, "..", "control.pending")).filter((name) => name.endsWith(".json"))).toEqual(
    [],
  );
});

it("C-32 turns a call whose process was killed into an interrupted line of the next process", async () => {
  const path = join(temporaryDirectory(), "control.jsonl");
  const running = start(writer, ["hold", path]);
  await running.printed("begun");
  const [name = ""] = readdirSync(join(path, "..", "control.pending"));
  const record = join(path, "..", "control.pending", name);
  expect(statSync(record).size).toBeGreaterThanOrEqual(4096);
  expect(statSync(record).blocks * 512).toBeGreaterThanOrEqual(4096);
  expect(statSync(record).mode & 0o777).toBe(0o600);
  running.child.kill("SIGKILL");
  await running.ended;
  const next = start(writer, ["append", path, 1]);
  expect(await next.ended).toBe(0);
  const [interrupted, own] = readFileSync(path, "utf8").trimEnd().split("\n").map(asLine);
  expect(interrupted).toMatchObject({
    ...{ seq: 1, actor: "mcp", action: "send", target: "b" },
    ...{ outcome: "error", exit_code: 1, detail: "interrupted" },
  });
  expect(own).toMatchObject({ seq: 2, outcome: "ok" });
  expect(existsSync(record)).toBe(false);
});

it("leaves the record of a call alone while its process lives", async () => {
  const path = join(temporaryDirectory(), "control.jsonl");
  const running = start(writer, ["hold", path]);
  await running.printed("begun");
  expect(await createAudit({ ...machine, path, diagnose: fail }).recover()).toBe(0);
  running.child.stdin?.write("\n");
  expect(await running.ended).toBe(0);
  expect(running.output()).toContain('{"finished":true,"said":[]}');
  expect(verifyLog({ files, path })).toEqual({ ok: true, lines: 1, notes: [] });
});

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function last(output: string, letter: string): number {
  return Number([...output.matchAll(new RegExp(`^${letter} (\\d+)$`, "gm"))].at(-1)?.[1] ?? 0);
}

function asLine(text: string): Record<string, unknown> {
  return JSON.parse(text);
}

/** The line's fields, unless it is the closed remains of a torn one. */
function parsed(text: string): Record<string, unknown>[] {
  try {
    return [asLine(text)];
  } catch {
    return [];
  }
}

function fail(line: string): void {
  throw new Error(line);
}
