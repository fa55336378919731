import { dirname } from "node:path";
import { type MemoryNode, memoryTree } from "./memory-tree.ts";
import { fileFailure } from "./port-failures.ts";
import type { Clock, FileKind, FileSeen, Files } from "./ports.ts";

export interface MemoryFiles extends Files {
  /** Puts a thing of this kind at the path, replacing what is there: a FIFO, a socket, a foreign directory. */
  place(path: string, kind: FileKind, options?: { readonly uid?: number; readonly target?: string }): void;
  setMode(path: string, mode: number): void;
  /** While true, every write, append and new directory fails with `file-full` and changes nothing. */
  setDiskFull(full: boolean): void;
}

export interface MemoryFilesOptions {
  /** This user; 1000 when left out. */
  readonly uid?: number;
  /** Source of modification times; without it they count up. */
  readonly clock?: Clock;
}

const kindWords: Readonly<Record<FileKind, string>> = {
  file: "a file",
  directory: "a directory",
  symlink: "a symbolic link",
  socket: "a socket",
  fifo: "a FIFO",
  other: "a device",
};

/** The files of one test, with kinds, modes, owners, symlinks and a disk that can be full. */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  const uid = options.uid ?? 1000;
  const tree = memoryTree(uid);
  let full = false;
  let ticks = 0;
  let inodes = 1;

  const create = (kind: FileKind, mode: number): MemoryNode => {
    inodes += 1;
    return { kind, mode, uid, bytes: new Uint8Array(), target: "", inode: inodes, modifiedMs: stamp() };
  };
  const stamp = (): number => {
    ticks += 1;
    return options.clock?.now() ?? ticks;
  };
  const requireSpace = (path: string): void => {
    if (full) throw fileFailure("file-full", path);
  };

  /** The regular file at the path, allowed for `bits`; undefined when nothing is there. */
  function fileAt(path: string, bits: number): MemoryNode | undefined {
    const node = tree.get(path);
    if (!node) return undefined;
    if (node.kind === "symlink") throw fileFailure("file-link", path);
    if (node.kind !== "file") throw fileFailure("file-kind", path, { found: kindWords[node.kind] });
    tree.requireAccess(node, bits, path);
    return node;
  }

  function store(node: MemoryNode, bytes: Uint8Array): void {
    node.bytes = bytes;
    node.modifiedMs = stamp();
  }

  return {
    read(path, limit) {
      const node = fileAt(path, 4);
      if (node && node.bytes.length > limit) throw fileFailure("file-too-large", path);
      return node && Uint8Array.from(node.bytes);
    },
    readAt: (path, offset, length) => fileAt(path, 4)?.bytes.slice(offset, offset + length),
    write(path, bytes, { mode = 0o600 } = {}) {
      fileAt(path, 0);
      tree.requireWritableParent(path);
      requireSpace(path);
      const node = create("file", mode);
      store(node, toBytes(bytes));
      tree.put(path, node);
    },
    append(path, bytes) {
      const existing = fileAt(path, 2);
      if (!existing) tree.requireWritableParent(path);
      requireSpace(path);
      const node = existing ?? create("file", 0o600);
      store(node, Buffer.concat([node.bytes, toBytes(bytes)]));
      if (!existing) tree.put(path, node);
    },
    truncate(path, size) {
      const node = fileAt(path, 2);
      if (!node) throw fileFailure("file-missing", path);
      const bytes = new Uint8Array(size);
      bytes.set(node.bytes.subarray(0, size));
      store(node, bytes);
    },
    remove(path) {
      const node = tree.get(path);
      if (!node) return false;
      if (node.kind === "directory") throw fileFailure("file-kind", path, { found: kindWords.directory });
      tree.requireWritableParent(path);
      tree.drop(path);
      return true;
    },
    rename(from, to) {
      const node = tree.get(from);
      if (!node) throw fileFailure("file-missing", from);
      const replaced = tree.get(to);
      if (replaced && (replaced.kind === "directory") !== (node.kind === "directory")) {
        throw fileFailure("file-kind", to, { found: kindWords[replaced.kind] });
      }
      tree.requireWritableParent(from);
      tree.requireWritableParent(to);
      tree.move(from, to);
    },
    list(directory) {
      const node = tree.get(directory);
      if (!node) return [];
      requireDirectory(node, directory);
      tree.requireAccess(node, 4, directory);
      return tree.names(directory);
    },
    makeDirectory(directory) {
      makeMissing(directory);
      const node = tree.get(directory);
      if (node) requireDirectory(node, directory);
      if (node && node.uid !== uid) throw fileFailure("file-owner", directory);
    },
    look(path) {
      const node = tree.get(path);
      return node && seen(node);
    },
    realPath: (path) => tree.realPath(path),
    place(path, kind, { uid: owner = uid, target = "" } = {}) {
      makeMissing(dirname(path));
      tree.put(path, { ...create(kind, kind === "directory" ? 0o700 : 0o600), uid: owner, target });
    },
    setMode(path, mode) {
      const node = tree.get(path);
      if (!node) throw new Error(`memoryFiles: nothing at ${path}`);
      node.mode = mode;
    },
    setDiskFull: (isFull) => {
      full = isFull;
    },
  };

  function makeMissing(directory: string): void {
    if (directory !== dirname(directory)) makeParent(dirname(directory));
    if (tree.get(directory)) return;
    tree.requireWritableParent(directory);
    requireSpace(directory);
    tree.put(directory, create("directory", 0o700));
  }

  function makeParent(directory: string): void {
    if (tree.realPath(directory) === undefined) makeMissing(directory);
  }
}

function requireDirectory(node: MemoryNode, path: string): void {
  if (node.kind === "symlink") throw fileFailure("file-link", path);
  if (node.kind !== "directory") throw fileFailure("file-kind", path, { found: kindWords[node.kind] });
}

function seen(node: MemoryNode): FileSeen {
  const { kind, mode, uid, modifiedMs } = node;
  const size = kind === "symlink" ? Buffer.byteLength(node.target) : node.bytes.length;
  return { kind, size, mode, uid, modifiedMs, id: `1:${node.inode}` };
}

function toBytes(bytes: Uint8Array | string): Uint8Array {
  return typeof bytes === "string" ? Buffer.from(bytes) : Uint8Array.from(bytes);
}
