import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine } from "@agent-control/system";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLaunches } from "../src/index.ts";
import { failureOf, fleetWorld, sampleLaunch } from "./world.ts";

function realLaunches() {
  const state = mkdtempSync(join(tmpdir(), "fleet it's $HOME é "));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const open = () =>
    createLaunches(
      createMachine({
        onError: (failure) => {
          throw failure;
        },
      }),
      state,
    );
  const launches = open();
  launches.create(sampleLaunch());
  return { launches, open, path: (id: string) => join(state, "launches", `${id}.json`) };
}

const hostile = "bbcdefghijklmnopqrstuvwxyz";

describe("createLaunches", () => {
  it("T-05 writes a record for this user alone, whole, and reads it back", () => {
    const { launches, path } = realLaunches();
    expect(launches.read(sampleLaunch().id)).toEqual(sampleLaunch());
    expect(statSync(path(sampleLaunch().id)).mode & 0o777).toBe(0o600);
    expect(statSync(launches.directory).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (path: string) => unknown]>([
    ["a FIFO", (path) => spawnSync("mkfifo", [path])],
    ["a directory", (path) => mkdirSync(path)],
    ["a symlink", (path) => symlinkSync("/etc/passwd", path)],
    ["a huge file", (path) => writeFileSync(path, " ".repeat(300 * 1024))],
    ["an empty file", (path) => writeFileSync(path, "")],
    ["a torn file", (path) => writeFileSync(path, '{"schema":1,')],
  ])("C-08 neither hangs on %s nor takes it for no record, and lists the others", async (_what, place) => {
    const { launches, path } = realLaunches();
    place(path(hostile));
    const failure = await failureOf(() => launches.read(hostile));
    expect(failure.message).toContain(`${hostile}.json`);
    const unreadable: string[] = [];
    expect(launches.list((id) => unreadable.push(id)).map(({ id }) => id)).toEqual([sampleLaunch().id]);
    expect(unreadable).toEqual([hostile]);
  });

  it("T-05 loses no change of two holders, each with locks of its own", async () => {
    const { open } = realLaunches();
    const append = (launches: ReturnType<typeof open>, count: number) =>
      Array.from({ length: count }, (_, index) =>
        launches.update(sampleLaunch().id, (now) => ({ ...now, argv: [...now.argv, String(index)] })),
      );
    await Promise.all([...append(open(), 20), ...append(open(), 20)]);
    expect(open().read(sampleLaunch().id)?.argv).toHaveLength(41);
  });

  it("T-05 changes nothing while another process holds the record's lock, and everything once it is free", async () => {
    const { launches, locks, after } = await fleetWorld();
    launches.create(sampleLaunch());
    const lock = `${launches.directory}/${sampleLaunch().id}.lock`;
    const rename = () => launches.update(sampleLaunch().id, (now) => ({ ...now, profile: "renamed" }));
    const release = locks.occupy(lock, 99);
    expect(await failureOf(rename())).toMatchObject({ code: "busy" });
    expect(launches.read(sampleLaunch().id)?.profile).toBe("worker");
    after(2_000, release);
    expect(await rename()).toMatchObject({ profile: "renamed" });
  });

  it("T-05 gives a change the newest state, and writes nothing when it changes nothing", async () => {
    const { launches, files } = await fleetWorld();
    launches.create(sampleLaunch());
    const before = files.look(`${launches.directory}/${sampleLaunch().id}.json`)?.id;
    await launches.update(sampleLaunch().id, (now) => now);
    expect(files.look(`${launches.directory}/${sampleLaunch().id}.json`)?.id).toBe(before);
    expect(await failureOf(launches.update(hostile, (now) => now))).toMatchObject({ code: "launch-unknown" });
  });

  it("T-10 reads no file outside its directory", async () => {
    const { launches, files } = await fleetWorld();
    files.makeDirectory(launches.directory);
    files.write("/state/secret.json", "{}");
    expect(launches.read("../secret")).toBeUndefined();
  });

  it("T-26 finds a launch by its id and by a unique start of 4 characters", async () => {
    const { launches } = await fleetWorld();
    launches.create(sampleLaunch());
    launches.create(sampleLaunch({ id: hostile }));
    expect(launches.resolve("abcd")).toBe(sampleLaunch().id);
    expect(launches.resolve(hostile)).toBe(hostile);
  });

  it.each(["abc", "", "zzzz", "ABCD", "../a", "abcd*"])("T-26 finds none by %j", async (text) => {
    const { launches } = await fleetWorld();
    launches.create(sampleLaunch());
    expect(await failureOf(() => launches.resolve(text))).toMatchObject({
      outcome: "refused",
      code: "launch-unknown",
    });
  });

  it("T-26 lists the matches of an ambiguous start", async () => {
    const { launches } = await fleetWorld();
    const other = "abcd2222222222222222222222";
    launches.create(sampleLaunch());
    launches.create(sampleLaunch({ id: other }));
    const failure = await failureOf(() => launches.resolve("abcd"));
    expect(failure).toMatchObject({ outcome: "usage", code: "launch-ambiguous" });
    expect(failure.message).toContain(sampleLaunch().id);
    expect(failure.message).toContain(other);
  });

  it("T-26 lists the newest first", async () => {
    const { launches } = await fleetWorld();
    launches.create(sampleLaunch({ createdAt: "2026-01-01T10:00:00.000Z" }));
    launches.create(sampleLaunch({ id: hostile, createdAt: "2026-01-01T11:00:00.000+00:00" }));
    expect(launches.list().map(({ id }) => id)).toEqual([hostile, sampleLaunch().id]);
  });
});
