import { posix } from "node:path";
import type { FileFacts, Owner } from "./guest-file.ts";
import type { GuestFile } from "./incus.ts";
import { readRefusal, refused, wrongKind } from "./incus-failure.ts";

/** Files in memory by absolute path. Links are followed where they are parents, as guest root would. */
export interface FakeTree {
  read(path: string, limit: number): GuestFile | undefined;
  write(path: string, bytes: Uint8Array | string, owner: Owner): void;
  makeDirectory(path: string, owner: Owner): void;
  makeSymlink(path: string, target: string): void;
  remove(path: string): boolean;
  /** Links followed. */
  isDirectory(path: string): boolean;
  /** A tree of its own with the same files. */
  copy(): FakeTree;
  /** Empties /run and /tmp, which live in memory. */
  reboot(): void;
}

type Node = FileFacts & { readonly bytes: Buffer; readonly target: string };

const noBytes = Buffer.alloc(0);
const volatile = ["/run", "/tmp"];
const firstDirectories = ["/", "/etc", "/home", "/home/agentuser", "/root", "/usr", "/var", ...volatile];

export function createFakeTree(nodes = firstNodes()): FakeTree {
  /** The path with its parents' links followed. */
  function placed(path: string): string {
    if (path === "/") return path;
    return posix.join(followed(posix.dirname(path)), posix.basename(path));
  }

  function followed(path: string): string {
    const place = placed(path);
    const node = nodes.get(place);
    if (node?.kind !== "symlink") return place;
    return followed(posix.resolve(posix.dirname(place), node.target));
  }

  function put(path: string, node: Node): void {
    const parent = nodes.get(posix.dirname(path));
    const doing = `write ${path}`;
    if (parent === undefined) throw refused(readRefusal(404, "Not Found"), doing);
    if (parent.kind !== "directory") throw refused(readRefusal(500, `${path}: not a directory`), doing);
    nodes.set(path, node);
  }

  function namesIn(path: string): string[] {
    const inside = [...nodes.keys()].filter((other) => other !== "/" && posix.dirname(other) === path);
    return inside.map((other) => posix.basename(other)).sort();
  }

  const isDirectory = (path: string) => nodes.get(followed(path))?.kind === "directory";

  return {
    isDirectory,
    read(asked, limit) {
      const path = placed(asked);
      const node = nodes.get(path);
      if (node === undefined) return undefined;
      const { kind, target, bytes, ...owner } = node;
      if (kind === "symlink") return { kind, target };
      if (kind === "directory") return { kind, names: namesIn(path) };
      return { kind, bytes: bytes.subarray(0, limit), ...owner, cut: bytes.length > limit };
    },
    write(asked, bytes, owner) {
      const path = placed(asked);
      if (nodes.get(path)?.kind === "directory") throw wrongKind(asked, "a directory");
      put(path, { ...owner, kind: "file", bytes: Buffer.from(bytes), target: "" });
    },
    makeDirectory(asked, owner) {
      if (isDirectory(asked)) return;
      const path = placed(asked);
      if (nodes.has(path)) throw wrongKind(asked, "no directory");
      put(path, { ...owner, kind: "directory", bytes: noBytes, target: "" });
    },
    makeSymlink(asked, target) {
      const path = placed(asked);
      if (nodes.has(path)) throw refused(readRefusal(500, "file exists"), `write ${asked}`);
      put(path, { kind: "symlink", mode: 0o777, uid: 0, gid: 0, bytes: noBytes, target });
    },
    remove(asked) {
      const path = placed(asked);
      if (namesIn(path).length > 0) throw refused(readRefusal(500, "directory not empty"), `remove ${asked}`);
      return nodes.delete(path);
    },
    copy: () => createFakeTree(new Map(nodes)),
    reboot() {
      for (const path of nodes.keys()) {
        if (volatile.some((directory) => path.startsWith(`${directory}/`))) nodes.delete(path);
      }
    },
  };
}

function firstNodes(): Map<string, Node> {
  const owner = { mode: 0o755, uid: 0, gid: 0 };
  return new Map(
    firstDirectories.map((path) => [path, { ...owner, kind: "directory", bytes: noBytes, target: "" }]),
  );
}
