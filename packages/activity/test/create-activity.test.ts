import { join } from "node:path";
import {
  fakeClock,
  fakeProcessTable,
  manualWatch,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { type Activity, type ActivityEvent, createActivity } from "../src/index.ts";
import { sampleEvent } from "./sample-event.ts";

const directory = "/state/fleet";

function machine() {
  const clock = fakeClock({ now: 1_700_000_100_000, monotonic: 200_000 });
  const files = memoryFiles({ clock });
  files.makeDirectory("/state");
  const processTable = fakeProcessTable();
  const watch = manualWatch();
  const locks = memoryLocks(clock);
  const ports = { clock, files, processTable, watch, locks, directory };
  return { ...ports, activity: createActivity(ports), again: () => createActivity(ports) };
}

/** The record that the event is folded into. */
async function recorded(activity: Activity, event: ActivityEvent) {
  const record = await activity.apply(event);
  if (!record) throw new Error("The event made no record");
  return record;
}

const theFile = (files: { list(path: string): string[] }) =>
  join(directory, files.list(directory).find((name) => name.endsWith(".json")) ?? "none");

it("T-25 a record is stored under a hash and read back whole by another program", async () => {
  const { activity, again, files, processTable } = machine();
  const process = processTable.add({ pid: 77 });
  const event = sampleEvent(5, { process, tool: "Bash", turnStarted: true });
  const record = await recorded(activity, event);
  expect(record).toEqual({
    schema: 1,
    id: expect.stringMatching(/^claude-[0-9a-f]{32}$/),
    harness: "claude",
    sessionId: "0f1e-2d3c",
    launchId: "launch-a",
    cwd: "/home/me/shop",
    repo: "shop",
    process,
    status: "working",
    detail: "",
    tool: "Bash",
    ts: event.ts,
    sequence: 5,
    lastEvent: "PreToolUse",
    turnSequence: 5,
    turnTs: event.ts,
  });
  expect(files.list(directory)).toContain(`${record.id}.json`);
  expect(await again().list()).toEqual([record]);
  const stored = JSON.parse(new TextDecoder().decode(files.read(theFile(files), 65_536)));
  expect(stored).toMatchObject({ session_id: "0f1e-2d3c", pid: 77, last_event: "PreToolUse" });
});

it("T-25 a hostile session id becomes no path and no overlong record", async () => {
  const { activity, files } = machine();
  const sessionId = `../../etc/${"x".repeat(100_000)}`;
  const { id } = await recorded(
    activity,
    sampleEvent(1, { sessionId, harness: "../claude", detail: sessionId }),
  );
  expect(id).toMatch(/^claude-[0-9a-f]{32}$/);
  expect(files.look(theFile(files))?.size).toBeLessThan(8_192);
});

it("T-25 sessions with one id and different instances keep their own records", async () => {
  const { activity } = machine();
  await activity.apply(sampleEvent(1, { instance: "77 1100" }));
  await activity.apply(sampleEvent(2, { instance: "78 1200" }));
  expect(await activity.list()).toHaveLength(2);
});

it("T-25 an older and an equal sequence change nothing", async () => {
  const { activity, files } = machine();
  const record = await activity.apply(sampleEvent(10, { status: "done", event: "Stop" }));
  const before = files.look(theFile(files));
  expect(await activity.apply(sampleEvent(10, { status: "working" }))).toEqual(record);
  expect(await activity.apply(sampleEvent(9, { status: "error" }))).toEqual(record);
  expect(files.look(theFile(files))).toEqual(before);
});

it("T-25 a turn start that was overtaken by a later event is kept, its status is not", async () => {
  const { activity } = machine();
  await activity.apply(sampleEvent(11, { status: "done", event: "Stop" }));
  const late = sampleEvent(10, { status: "working", event: "UserPromptSubmit", turnStarted: true });
  expect(await activity.apply(late)).toMatchObject({ status: "done", sequence: 11, turnSequence: 10 });
});

it("T-25 an event that became old while its lock was taken is answered without the lock", async () => {
  const { activity, again, locks, clock, files } = machine();
  const { id } = await recorded(activity, sampleEvent(1));
  const release = locks.occupy(join(directory, "locks", `${id}.lock`), 99);
  const waiting = activity.apply(sampleEvent(5, { status: "done" }));
  await clock.advance(100);
  const newer = JSON.parse(new TextDecoder().decode(files.read(theFile(files), 65_536)));
  files.write(theFile(files), JSON.stringify({ ...newer, sequence: 6, status: "waiting" }));
  await clock.advance(300);
  expect(await waiting).toMatchObject({ sequence: 6, status: "waiting" });
  release();
  expect(await again().list()).toMatchObject([{ sequence: 6, status: "waiting" }]);
});

it("T-25 an event that waits in vain for its record's lock is refused as busy", async () => {
  const { activity, locks, clock } = machine();
  const { id } = await recorded(activity, sampleEvent(1));
  locks.occupy(join(directory, "locks", `${id}.lock`), 99);
  const outcome = expect(activity.apply(sampleEvent(2))).rejects.toMatchObject({ code: "busy" });
  await clock.advance(10_500);
  await outcome;
});

it("T-25 an event without a launch, a directory or a process keeps the known ones", async () => {
  const { activity, processTable } = machine();
  const process = processTable.add({ pid: 77 });
  await activity.apply(sampleEvent(1, { process }));
  const bare = sampleEvent(2, { launchId: undefined, cwd: "", process: undefined });
  expect(await activity.apply(bare)).toMatchObject({
    launchId: "launch-a",
    cwd: "/home/me/shop",
    repo: "shop",
    process,
  });
});

it("T-25 after a reboot a smaller sequence is news, and the old turn is forgotten", async () => {
  const { activity, processTable } = machine();
  const old = { pid: 77, start: "1", bootId: "an-earlier-boot" };
  await activity.apply(sampleEvent(9_000_000, { process: old, turnStarted: true }));
  const process = processTable.add({ pid: 78 });
  const record = await activity.apply(sampleEvent(10, { process, status: "started" }));
  expect(record).toMatchObject({ sequence: 10, status: "started", turnSequence: 0, process });
});

it("T-25 a record without a process from before the boot is taken over and listed as ended", async () => {
  const { activity, clock } = machine();
  const booted = clock.now() - clock.monotonic();
  await activity.apply(sampleEvent(9_000_000, { ts: booted - 5_000 }));
  expect(await activity.list()).toMatchObject([{ status: "ended" }]);
  await activity.apply(sampleEvent(10, { ts: clock.now() }));
  expect(await activity.list()).toMatchObject([{ status: "working", sequence: 10 }]);
});

it.each(["gone", "zombie", "reused"] as const)(
  "T-25 a record whose process is %s turns ended, in the file too",
  async (how) => {
    const { activity, again, processTable, files } = machine();
    const process = processTable.add({ pid: 77 });
    await activity.apply(sampleEvent(1, { process, status: "waiting", detail: "permission", tool: "Bash" }));
    if (how === "reused") processTable.reuse(77);
    else processTable.exit(77, { zombie: how === "zombie" });
    const ended = { status: "ended", detail: "", tool: "", lastEvent: "PreToolUse" };
    expect(await activity.ofLaunch("launch-a")).toMatchObject(ended);
    const stored = JSON.parse(new TextDecoder().decode(files.read(theFile(files), 65_536)));
    expect(stored.status).toBe("ended");
    expect(await again().list()).toMatchObject([ended]);
  },
);

it("T-25 a gone process is told also while the record cannot be stored", async () => {
  const { activity, processTable, files, locks, clock } = machine();
  const process = processTable.add({ pid: 77 });
  const { id } = await recorded(activity, sampleEvent(1, { process }));
  processTable.exit(77);
  files.setDiskFull(true);
  expect(await activity.list()).toMatchObject([{ status: "ended" }]);
  files.setDiskFull(false);
  locks.occupy(join(directory, "locks", `${id}.lock`), 99);
  const listed = activity.list();
  await clock.advance(1_000);
  expect(await listed).toMatchObject([{ status: "ended" }]);
});

it("T-13 a process that could not be looked at does not count as ended", async () => {
  const { activity, processTable } = machine();
  await activity.apply(sampleEvent(1, { process: processTable.add({ pid: 77 }) }));
  processTable.breakWith(new Error("no /proc"));
  await expect(activity.list()).rejects.toThrow("no /proc");
});

it("C-08 malformed, hostile and foreign files beside the records are skipped", async () => {
  const { activity, files } = machine();
  const { id } = await recorded(activity, sampleEvent(1));
  const good = new TextDecoder().decode(files.read(theFile(files), 65_536));
  const name = (digit: string) => join(directory, `claude-${digit.repeat(32)}.json`);
  files.place(name("1"), "fifo");
  files.place(name("2"), "directory");
  files.place(name("3"), "symlink", { target: theFile(files) });
  files.write(name("4"), `${good}${" ".repeat(70_000)}`);
  files.write(name("5"), good.slice(0, 40));
  files.write(name("6"), "");
  files.write(name("7"), good);
  files.write(name("8"), new Uint8Array([0xff, 0xfe]));
  files.write(name("9"), good.replace(id, `claude-${"9".repeat(32)}`).replace('"working"', '"busy"'));
  files.write(name("a"), good.replace(id, `claude-${"a".repeat(32)}`).replace(/"ts":\d+/, '"ts":"now"'));
  files.write(name("b"), "[]");
  files.write(join(directory, "notes.json"), good);
  expect((await activity.list()).map((record) => record.id)).toEqual([id]);
});

it("C-08 an event replaces what is torn at its own record's place", async () => {
  const { activity, files } = machine();
  await activity.apply(sampleEvent(7));
  files.write(theFile(files), '{"schema":1,');
  expect(await activity.list()).toEqual([]);
  expect(await activity.apply(sampleEvent(3, { status: "done" }))).toMatchObject({ status: "done" });
  expect(await activity.list()).toHaveLength(1);
});

it("the newest record of a launch is the one that counts, whatever the wall clock did", async () => {
  const { activity, processTable } = machine();
  const process = processTable.add({ pid: 77 });
  await activity.apply(
    sampleEvent(10, { sessionId: "first", process, status: "done", ts: 2_000_000_000_000 }),
  );
  await activity.apply(sampleEvent(20, { sessionId: "second", process, status: "started" }));
  await activity.apply(sampleEvent(30, { sessionId: "other", process, launchId: "launch-b" }));
  expect(await activity.ofLaunch("launch-a")).toMatchObject({ sessionId: "second" });
  expect(await activity.ofLaunch("launch-c")).toBeUndefined();
});

it("T-25 the end of a session that nobody knows makes no record", async () => {
  const { activity } = machine();
  expect(await activity.apply(sampleEvent(1, { status: "ended" }))).toBeUndefined();
  expect(await activity.list()).toEqual([]);
  await activity.apply(sampleEvent(2));
  expect(await activity.apply(sampleEvent(3, { status: "ended" }))).toMatchObject({ status: "ended" });
});

it("a machine without any record lists none", async () => {
  const { activity } = machine();
  expect(await activity.list()).toEqual([]);
  expect(await activity.ofLaunch("launch-a")).toBeUndefined();
  expect(await activity.cleanup(0)).toBe(0);
});

it("T-24 cleanup removes what ended longer ago than asked, and nothing else", async () => {
  const { activity, processTable, clock } = machine();
  const alive = processTable.add({ pid: 77 });
  const dies = processTable.add({ pid: 78 });
  const ts = clock.now() - 301_000;
  await activity.apply(sampleEvent(1, { sessionId: "old", process: alive, ts }));
  await activity.apply(sampleEvent(2, { sessionId: "old", process: alive, status: "ended", ts }));
  await activity.apply(sampleEvent(2, { sessionId: "alive", process: alive, status: "done", ts }));
  await activity.apply(sampleEvent(3, { sessionId: "just gone", process: dies, status: "working", ts }));
  processTable.exit(78);
  expect(await activity.cleanup(300_000)).toBe(1);
  expect((await activity.list()).map(({ sessionId }) => sessionId).sort()).toEqual(["alive", "just gone"]);
  await clock.advance(301_000);
  expect(await activity.cleanup(300_000)).toBe(1);
});

it("T-30 sequences grow within a program, between programs and past a step of the wall clock", async () => {
  const { activity, again, clock } = machine();
  const taken = [activity.takeSequence(), activity.takeSequence()];
  clock.stepWall(-3_600_000);
  taken.push(activity.takeSequence());
  await clock.advance(1);
  taken.push(again().takeSequence());
  expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
});

it("T-30 two programs in the same instant never share a sequence, and ten years of uptime stay exact", () => {
  const tenYears = 10 * 365.25 * 24 * 3600 * 1000;
  const at = (pid: number) => {
    const clock = fakeClock({ monotonic: tenYears });
    const processTable = fakeProcessTable({ pid });
    return createActivity({ ...machine(), clock, processTable }).takeSequence();
  };
  expect(at(4242)).not.toBe(at(4243));
  expect(Number.isSafeInteger(at(4242))).toBe(true);
});
