import { join } from "node:path";
import type { Files } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { failureOf } from "./failures.ts";

export interface FilesUnderTest {
  readonly files: Files;
  /** An existing directory of this user. */
  readonly root: string;
  /** Puts a thing of this kind at the path. */
  place(path: string, kind: "fifo" | "directory" | "socket" | "symlink", target?: string): Promise<void>;
}

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

/** What every implementation of the Files port does. */
export function filesContract(name: string, make: () => FilesUnderTest): void {
  describe(name, () => {
    it("reads back what it wrote, empty and binary too", () => {
      const { files, root } = make();
      for (const bytes of [
        new Uint8Array(),
        Uint8Array.from([0, 255, 10, 0]),
        new Uint8Array(100_000).fill(7),
      ]) {
        files.write(join(root, "a"), bytes);
        expect(Buffer.from(files.read(join(root, "a"), 100_000) ?? [1])).toEqual(Buffer.from(bytes));
      }
    });

    it("answers undefined where nothing is, but a Failure where a directory on the way is a file", async () => {
      const { files, root } = make();
      files.write(join(root, "file"), "x");
      expect(files.read(join(root, "none"), 10)).toBeUndefined();
      expect(files.readAt(join(root, "none"), 0, 10)).toBeUndefined();
      expect(files.read(join(root, "no", "directory"), 10)).toBeUndefined();
      expect(files.look(join(root, "none"))).toBeUndefined();
      expect(files.realPath(join(root, "none"))).toBeUndefined();
      expect(files.remove(join(root, "none"))).toBe(false);
      expect(files.list(join(root, "none"))).toEqual([]);
      expect((await failureOf(() => files.read(join(root, "file", "x"), 10))).code).toBe("file-kind");
    });

    it("C-08 refuses a file over the limit and takes one of exactly the limit", async () => {
      const { files, root } = make();
      files.write(join(root, "a"), "12345");
      expect(text(files.read(join(root, "a"), 5))).toBe("12345");
      expect((await failureOf(() => files.read(join(root, "a"), 4))).code).toBe("file-too-large");
    });

    it("reads a part, shorter at the end, none beyond it", () => {
      const { files, root } = make();
      files.write(join(root, "a"), "0123456789");
      expect(text(files.readAt(join(root, "a"), 2, 3))).toBe("234");
      expect(text(files.readAt(join(root, "a"), 8, 100))).toBe("89");
      expect(text(files.readAt(join(root, "a"), 50, 3))).toBe("");
    });

    it("C-08 answers a FIFO, a socket or a directory in place of a file with a Failure within 100 ms", async () => {
      const { files, root, place } = make();
      for (const kind of ["fifo", "socket", "directory"] as const) {
        const path = join(root, kind);
        await place(path, kind);
        const started = performance.now();
        for (const call of callsOn(files, path)) expect((await failureOf(call)).code).toBe("file-kind");
        expect(performance.now() - started).toBeLessThan(100);
        expect(files.look(path)?.kind).toBe(kind);
      }
    });

    it("C-08 follows no symlink at the end of a path, dangling or not", async () => {
      const { files, root, place } = make();
      files.write(join(root, "target"), "kept");
      await place(join(root, "link"), "symlink", join(root, "target"));
      await place(join(root, "dangling"), "symlink", join(root, "nowhere"));
      for (const path of [join(root, "link"), join(root, "dangling")]) {
        for (const call of callsOn(files, path)) expect((await failureOf(call)).code).toBe("file-link");
      }
      expect(text(files.read(join(root, "target"), 10))).toBe("kept");
      expect(files.look(join(root, "nowhere"))).toBeUndefined();
      expect(files.look(join(root, "link"))?.kind).toBe("symlink");
    });

    it("follows symlinks in the middle of a path and resolves them in realPath", async () => {
      const { files, root, place } = make();
      files.makeDirectory(join(root, "real"));
      await place(join(root, "link"), "symlink", "real");
      files.write(join(root, "link", "a"), "x");
      expect(text(files.read(join(root, "real", "a"), 10))).toBe("x");
      expect(files.realPath(join(root, "link", "a"))).toBe(files.realPath(join(root, "real", "a")));
    });

    it("makes files 0600, or as told, and makes a new file of every write", () => {
      const { files, root } = make();
      files.write(join(root, "a"), "1");
      const before = files.look(join(root, "a"));
      files.write(join(root, "a"), "22", { mode: 0o640, durable: false });
      const after = files.look(join(root, "a"));
      expect([before?.mode, after?.mode, after?.size]).toEqual([0o600, 0o640, 2]);
      expect(after?.id).not.toBe(before?.id);
      expect(files.list(root)).toEqual(["a"]);
    });

    it("appends to the same file, made 0600 when missing", () => {
      const { files, root } = make();
      files.append(join(root, "log"), "one\n");
      const id = files.look(join(root, "log"))?.id;
      files.append(join(root, "log"), Buffer.from("two\n"));
      expect(text(files.read(join(root, "log"), 100))).toBe("one\ntwo\n");
      expect(files.look(join(root, "log"))).toMatchObject({ id, mode: 0o600, size: 8, kind: "file" });
    });

    it("cuts a file", async () => {
      const { files, root } = make();
      files.write(join(root, "a"), "0123456789");
      files.truncate(join(root, "a"), 4);
      expect(text(files.read(join(root, "a"), 100))).toBe("0123");
      expect((await failureOf(() => files.truncate(join(root, "none"), 0))).code).toBe("file-missing");
    });

    it("writes nothing where the directory is missing", async () => {
      const { files, root } = make();
      for (const call of [
        () => files.write(join(root, "no", "a"), "x"),
        () => files.append(join(root, "no", "a"), "x"),
        () => files.rename(join(root, "no"), join(root, "b")),
      ]) {
        expect((await failureOf(call)).code).toBe("file-missing");
      }
      expect(files.list(root)).toEqual([]);
    });

    it("removes files and symlinks but no directory", async () => {
      const { files, root, place } = make();
      files.write(join(root, "a"), "x");
      await place(join(root, "link"), "symlink", "a");
      await place(join(root, "directory"), "directory");
      expect(files.remove(join(root, "link"))).toBe(true);
      expect(files.list(root)).toEqual(["a", "directory"]);
      expect(files.remove(join(root, "a"))).toBe(true);
      expect((await failureOf(() => files.remove(join(root, "directory")))).code).toBe("file-kind");
    });

    it("renames over a file and moves a directory with what is in it", () => {
      const { files, root } = make();
      files.write(join(root, "a"), "new");
      files.write(join(root, "b"), "old");
      files.rename(join(root, "a"), join(root, "b"));
      files.makeDirectory(join(root, "d", "e"));
      files.write(join(root, "d", "e", "f"), "deep");
      files.rename(join(root, "d"), join(root, "moved"));
      expect(text(files.read(join(root, "b"), 9))).toBe("new");
      expect(text(files.read(join(root, "moved", "e", "f"), 9))).toBe("deep");
      expect(files.list(root)).toEqual(["b", "moved"]);
    });

    it("C-08 makes directories with missing parents, each 0700, and again without complaint", () => {
      const { files, root } = make();
      files.makeDirectory(join(root, "x", "y", "z"));
      files.makeDirectory(join(root, "x", "y", "z"));
      for (const path of ["x", "x/y", "x/y/z"]) {
        expect(files.look(join(root, path))).toMatchObject({ kind: "directory", mode: 0o700 });
      }
    });

    it("C-08 refuses a symlink, a file or a FIFO as a directory", async () => {
      const { files, root, place } = make();
      await place(join(root, "elsewhere"), "directory");
      await place(join(root, "link"), "symlink", join(root, "elsewhere"));
      await place(join(root, "fifo"), "fifo");
      files.write(join(root, "file"), "x");
      const codes = [];
      for (const name of ["link", "fifo", "file"]) {
        codes.push((await failureOf(() => files.makeDirectory(join(root, name)))).code);
        codes.push((await failureOf(() => files.list(join(root, name)))).code);
      }
      expect(codes).toEqual(["file-link", "file-link", "file-kind", "file-kind", "file-kind", "file-kind"]);
    });

    it("names the path in every Failure and says what to do", async () => {
      const { files, root } = make();
      const failure = await failureOf(() => files.write(join(root, "no", "a\u001b[31m"), "x"));
      expect(failure.message).toContain("a\\u{1b}[31m does not exist");
      expect(failure.next).not.toBe("");
      expect(failure.outcome).toBe("error");
    });
  });
}

function callsOn(files: Files, path: string): (() => unknown)[] {
  return [
    () => files.read(path, 10),
    () => files.readAt(path, 0, 10),
    () => files.write(path, "x"),
    () => files.append(path, "x"),
    () => files.truncate(path, 0),
  ];
}
