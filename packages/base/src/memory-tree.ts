import { basename, dirname, join, resolve } from "node:path";
import { fileFailure } from "./port-failures.ts";
import type { FileKind } from "./ports.ts";

export interface MemoryNode {
  readonly kind: FileKind;
  readonly uid: number;
  readonly inode: number;
  /** Where a symlink points; "" for everything else. */
  readonly target: string;
  mode: number;
  bytes: Uint8Array;
  modifiedMs: number;
}

/** The directory tree under `memoryFiles`: symlinks in the middle of a path are followed, one at its end is not. */
export function memoryTree(uid: number) {
  const nodes = new Map<string, MemoryNode>([["/", rootOf(uid)]]);

  /** The path with every symlink before its last element resolved; undefined when a directory on the way is missing. */
  function locate(path: string, followed = 0): string | undefined {
    if (followed > 40) throw fileFailure("file-link", path);
    const full = resolve("/", path);
    if (full === "/") return full;
    const parent = locate(dirname(full), followed);
    if (parent === undefined) return undefined;
    const directory = follow(parent, followed);
    const node = directory === undefined ? undefined : nodes.get(directory);
    if (directory === undefined || !node) return undefined;
    if (node.kind !== "directory") throw fileFailure("file-kind", path);
    requireAccess(node, 1, path);
    return join(directory, basename(full));
  }

  function follow(path: string, followed: number): string | undefined {
    const node = nodes.get(path);
    if (node?.kind !== "symlink") return path;
    const next = locate(resolve(dirname(path), node.target), followed + 1);
    return next === undefined ? undefined : follow(next, followed + 1);
  }

  function requireAccess(node: MemoryNode, bits: number, path: string): void {
    const granted = node.uid === uid ? node.mode >> 6 : node.mode;
    if ((granted & bits) !== bits) throw fileFailure("file-denied", path);
  }

  function located(path: string): string {
    const place = locate(path);
    if (place === undefined) throw fileFailure("file-missing", path);
    return place;
  }

  return {
    requireAccess,
    /** What is at the path itself; undefined when nothing is. */
    get(path: string): MemoryNode | undefined {
      const place = locate(path);
      return place === undefined ? undefined : nodes.get(place);
    },
    requireWritableParent(path: string): void {
      const parent = nodes.get(dirname(located(path)));
      if (parent) requireAccess(parent, 3, path);
    },
    put(path: string, node: MemoryNode): void {
      nodes.set(located(path), node);
    },
    drop(path: string): void {
      nodes.delete(located(path));
    },
    move(from: string, to: string): void {
      const [source, target] = [located(from), located(to)];
      for (const [path, node] of [...nodes]) {
        if (path !== source && !path.startsWith(`${source}/`)) continue;
        nodes.delete(path);
        nodes.set(target + path.slice(source.length), node);
      }
    },
    names(directory: string): string[] {
      const place = located(directory);
      return [...nodes.keys()]
        .filter((path) => path !== "/" && dirname(path) === place)
        .map((p) => basename(p))
        .sort();
    },
    realPath(path: string): string | undefined {
      const place = locate(path);
      const end = place === undefined ? undefined : follow(place, 0);
      return end !== undefined && nodes.has(end) ? end : undefined;
    },
  };
}

function rootOf(uid: number): MemoryNode {
  return {
    kind: "directory",
    mode: 0o755,
    uid,
    inode: 1,
    target: "",
    bytes: new Uint8Array(),
    modifiedMs: 0,
  };
}
