import type { Calls } from "./fake-calls.ts";
import { type FakeStore, no } from "./fake-store.ts";
import type { FakeTree } from "./fake-tree.ts";
import { headersOf } from "./guest-file.ts";
import { guestPath } from "./guest-path.ts";
import type { GuestFiles } from "./incus.ts";

interface FilePorts {
  readonly calls: Calls;
  readonly store: FakeStore;
}

/** Files of the fake's instances, as `GuestFiles` of the port says. */
export function createFakeFiles({ calls, store }: FilePorts): GuestFiles {
  interface Use<T> {
    readonly instance: string;
    readonly path: string;
    readonly signal: AbortSignal | undefined;
    readonly act: (tree: FakeTree, path: string) => T;
  }
  async function use<T>(name: string, { instance, path, signal, act }: Use<T>): Promise<T> {
    const plain = guestPath(path);
    const body = () => {
      const found = store.instances.get(instance);
      if (found === undefined) throw no("instance-not-found", instance);
      return act(found.files, plain);
    };
    return calls.run(`files.${name}`, `${instance} ${plain}`, { body, signal });
  }
  return {
    read: (instance, path, { limit, signal }) =>
      use("read", { instance, path, signal, act: (tree, plain) => tree.read(plain, limit) }),
    async write(instance, path, bytes, { signal, ...owner }) {
      headersOf("file", owner);
      await use("write", { instance, path, signal, act: (tree, plain) => tree.write(plain, bytes, owner) });
    },
    async makeDirectory(instance, path, { signal, ...owner }) {
      headersOf("directory", owner);
      const act = (tree: FakeTree, plain: string) => tree.makeDirectory(plain, owner);
      await use("makeDirectory", { instance, path, signal, act });
    },
    makeSymlink: (instance, path, target, signal) =>
      use("makeSymlink", { instance, path, signal, act: (tree, plain) => tree.makeSymlink(plain, target) }),
    remove: (instance, path, signal) =>
      use("remove", { instance, path, signal, act: (tree, plain) => tree.remove(plain) }),
  };
}
