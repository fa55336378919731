import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { verifyLog } from "../src/index.ts";
import { buildWriter, start, temporaryDirectory } from "./fixture.ts";
import { machine } from "./machine.ts";

const { files } = machine;
const mayMount = process.getuid?.() === 0 && canMount();
let writer = "";
beforeAll(async () => {
  writer = await buildWriter();
});

it.skipIf(!mayMount)(
  "C-32 refuses to act on a full disk, and a call begun before still gets its line",
  async () => {
    const disk = smallDisk();
    const path = join(disk, "audit", "control.jsonl");
    for (let round = 1; round <= 12; round += 1) {
      const before = start(writer, ["hold", path]);
      await before.printed("begun");
      fill(disk);
      expect(await answerOf(["try", path])).toMatchObject({
        begun: [
          "audit-unwritable",
          "error",
          expect.stringMatching(/full.*control\.jsonl.*free space on its disk/),
        ],
      });
      before.child.stdin?.write("\n");
      expect(await before.ended).toBe(0);
      expect(before.output()).toContain('"finished":true');
      rmSync(join(disk, "ballast"));
      rmSync(join(disk, "ballast-rest"), { force: true });
      expect(await start(writer, ["append", path, 1]).ended).toBe(0);
    }
    const result = verifyLog({ files, path });
    expect(result).toMatchObject({ ok: true, notes: [] });
    const held = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.includes('"target":"b"'));
    expect(held).toHaveLength(12);
  },
);

it.skipIf(!mayMount)(
  "C-32 refuses to act in a read-only directory; a reading call says it was not recorded",
  async () => {
    const disk = smallDisk();
    const path = join(disk, "audit", "control.jsonl");
    expect(await start(writer, ["append", path, 2]).ended).toBe(0);
    expect(spawnSync("mount", ["-o", "remount,ro", disk]).status).toBe(0);
    expect(await answerOf(["try", path])).toEqual({
      begun: ["audit-unwritable", "error", expect.stringContaining("Make the audit log")],
      recorded: false,
      said: [expect.stringMatching(/^A line of the audit log .* was not written\./)],
    });
    expect(verifyLog({ files, path })).toEqual({ ok: true, lines: 2, notes: [] });
  },
);

it("C-32 refuses to act when the log is a directory; a reading call says it was not recorded", async () => {
  const path = join(temporaryDirectory(), "control.jsonl");
  mkdirSync(path);
  expect(await answerOf(["try", path])).toEqual({
    begun: ["audit-unwritable", "error", expect.stringContaining("control.jsonl")],
    recorded: false,
    said: [expect.stringContaining("a directory")],
  });
});

async function answerOf(args: readonly string[]): Promise<unknown> {
  const running = start(writer, args);
  expect(await running.ended).toBe(0);
  return JSON.parse(running.output());
}

function canMount(): boolean {
  return spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
}

/** A file system of 256 KiB. */
function smallDisk(): string {
  const directory = temporaryDirectory();
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory]).status).toBe(0);
  onTestFinished(() => {
    spawnSync("umount", [directory]);
  });
  return directory;
}

/** Writes until there is no page left. */
function fill(disk: string): void {
  const page = Buffer.alloc(4096);
  for (const name of ["ballast", "ballast-rest"]) {
    try {
      for (;;) writeFileSync(join(disk, name), page, { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}
