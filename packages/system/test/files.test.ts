import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fakeRandom, memoryFiles } from "@agent-control/base/testing";
import { beforeAll, expect, it } from "vitest";
import { createFiles, createRandom } from "../src/index.ts";
import { failureOf } from "./failures.ts";
import { filesContract } from "./files-contract.ts";
import { buildFixture } from "./fixture.ts";
import { isRoot, place, temporaryDirectory, tinyDisk } from "./temporary.ts";

const files = createFiles({ random: createRandom() });
let fileCalls = "";
beforeAll(async () => {
  fileCalls = await buildFixture("file-calls.ts");
});

filesContract("real files", () => ({ files, root: temporaryDirectory(), place }));

filesContract("memory files", () => {
  const memory = memoryFiles();
  memory.makeDirectory("/home/me");
  return {
    files: memory,
    root: "/home/me",
    place: async (path, kind, target = "") => memory.place(path, kind, { target }),
  };
});

it("C-08 refuses a huge file without reading it and reads a file that grows no further than the limit", async () => {
  const path = join(temporaryDirectory(), "huge");
  writeFileSync(path, "");
  truncateSync(path, 2 ** 40);
  const started = performance.now();
  expect((await failureOf(() => files.read(path, 65_536))).code).toBe("file-too-large");
  expect(performance.now() - started).toBeLessThan(100);
  // A file whose size says 0 although it holds more.
  expect((await failureOf(() => files.read("/proc/self/status", 10))).code).toBe("file-too-large");
  expect(files.read("/proc/self/stat", 4096)?.length).toBeGreaterThan(50);
});

it("C-08 refuses a device, also one that never ends", async () => {
  for (const path of ["/dev/zero", "/dev/null", "/dev/tty"]) {
    expect((await failureOf(() => files.read(path, 10))).code).toBe("file-kind");
  }
});

it("refuses a path with a NUL or of impossible length by name", async () => {
  for (const path of ["/tmp/a\0b", `/tmp/${"x".repeat(300)}`]) {
    expect((await failureOf(() => files.write(path, "x"))).code).toBe("file-name");
    expect((await failureOf(() => files.read(path, 10))).code).toBe("file-name");
  }
});

it.each(["000", "022", "077"])("C-08 makes directories 0700 and files 0600 under umask %s", (umask) => {
  const root = temporaryDirectory();
  const done = spawnSync("sh", [
    "-c",
    `umask ${umask}; exec "$@"`,
    "sh",
    process.execPath,
    fileCalls,
    "make",
    root,
  ]);
  expect(done.stderr.toString()).toBe("");
  const modes = ["state", "state/deep", "state/deep/written", "state/deep/appended", "state/deep/shared"].map(
    (name) => (statSync(join(root, name)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(["700", "700", "600", "600", "644"]);
});

it("C-08 leaves the old file whole and no temporary file when the disk is full", async (context) => {
  const root = tinyDisk();
  if (root === undefined) return context.skip("needs root to mount a tmpfs");
  files.write(join(root, "state"), "old");
  const tooMuch = "n".repeat(200_000);
  const failure = await failureOf(() => files.write(join(root, "state"), tooMuch));
  expect([failure.code, failure.next]).toEqual(["file-full", "Free some space"]);
  expect(readFileSync(join(root, "state"), "utf8")).toBe("old");
  expect(readdirSync(root)).toEqual(["state"]);
  expect((await failureOf(() => files.append(join(root, "state"), tooMuch))).code).toBe("file-full");
});

it("C-08 the memory disk can be full as well", async () => {
  const memory = memoryFiles();
  memory.write("/state", "old");
  memory.setDiskFull(true);
  for (const call of [() => memory.write("/state", "n"), () => memory.append("/state", "n")]) {
    expect((await failureOf(call)).code).toBe("file-full");
  }
  expect(Buffer.from(memory.read("/state", 9) ?? []).toString()).toBe("old");
});

it("touches no file that already has the name of its temporary file", async () => {
  const root = temporaryDirectory();
  const path = join(root, "state");
  const random = { bytes: (count: number) => fakeRandom(3).bytes(count) };
  const name = `.${Buffer.from(fakeRandom(3).bytes(8)).toString("hex")}.tmp`;
  writeFileSync(join(root, name), "someone else's");
  expect((await failureOf(() => createFiles({ random }).write(path, "x"))).code).toBe("file-exists");
  expect(readFileSync(join(root, name), "utf8")).toBe("someone else's");
});

it("C-08 says file-denied in a directory that this user may not write", (context) => {
  if (!isRoot) return context.skip("needs root to become another user");
  const root = temporaryDirectory();
  chmodSync(root, 0o555);
  chownSync(root, 65534, 65534);
  const user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const done = spawnSync("setpriv", [...user, process.execPath, fileCalls, "denied", root]);
  expect(done.stdout.toString().trim().split("\n")).toEqual(["file-denied", "file-denied", "file-denied"]);
  expect(readdirSync(root)).toEqual([]);
});

it("C-08 refuses a directory of another user", async (context) => {
  if (!isRoot) return context.skip("needs root to give a directory away");
  const root = temporaryDirectory();
  await place(join(root, "theirs"), "directory");
  chownSync(join(root, "theirs"), 65534, 65534);
  expect((await failureOf(() => files.makeDirectory(join(root, "theirs")))).code).toBe("file-owner");
  const memory = memoryFiles();
  memory.place("/theirs", "directory", { uid: 7 });
  expect((await failureOf(() => memory.makeDirectory("/theirs"))).code).toBe("file-owner");
});
