import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const isRoot = process.getuid?.() === 0;

/** A fresh directory with a hostile name, removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "system it's $HOME é "));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Puts a thing of this kind at the path. */
export async function place(
  path: string,
  kind: "fifo" | "directory" | "socket" | "symlink",
  target = "",
): Promise<void> {
  if (kind === "directory") mkdirSync(path);
  if (kind === "symlink") symlinkSync(target, path);
  if (kind === "fifo") check(spawnSync("mkfifo", [path]).status === 0, "mkfifo failed");
  if (kind === "socket") await listen(path);
}

/** A 64 KiB file system of its own, or undefined where this user may not mount one. */
export function tinyDisk(): string | undefined {
  const directory = temporaryDirectory();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", directory]).status !== 0)
    return undefined;
  onTestFinished(() => {
    spawnSync("umount", [directory]);
  });
  return directory;
}

function listen(path: string): Promise<void> {
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  return new Promise((resolve) => server.listen(path, resolve));
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
