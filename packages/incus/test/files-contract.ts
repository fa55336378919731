import { beforeAll, expect, it } from "vitest";
import { make, type World } from "./world.ts";

const owner = { mode: 0o640, uid: 1000, gid: 1000 };
const root = { mode: 0o600, uid: 0, gid: 0 };

/** What every implementation of `Incus.files` does, on a stopped instance. */
export function filesContract(world: World): void {
  const { files } = world.incus;
  let guest: string;
  beforeAll(async () => {
    guest = await make(world);
  });
  const read = (path: string, limit = 1000) => files.read(guest, path, { limit });

  it("reads back what it wrote, with owner and mode", async () => {
    await files.write(guest, "/root/é b&c?.txt", "text\0\n", owner);
    const bytes = Buffer.from("text\0\n");
    expect(await read("/root/é b&c?.txt")).toEqual({ kind: "file", bytes, ...owner, cut: false });
    await files.write(guest, "/root/empty", "", owner);
    expect(await read("/root/empty")).toMatchObject({ bytes: Buffer.alloc(0), cut: false });
  });

  it("reads no more than the limit", async () => {
    await files.write(guest, "/root/long", Buffer.alloc(100_000, 97), owner);
    expect(await read("/root/long", 10)).toMatchObject({ bytes: Buffer.alloc(10, 97), cut: true });
    expect(await read("/root/long", 100_000)).toMatchObject({ cut: false });
    expect(await read("/root/long", 99_999)).toMatchObject({ cut: true });
  });

  it("gives an existing file the new owner and mode", async () => {
    await files.write(guest, "/root/again", "first, longer", owner);
    await files.write(guest, "/root/again", "second", root);
    expect(await read("/root/again")).toEqual({
      kind: "file",
      bytes: Buffer.from("second"),
      ...root,
      cut: false,
    });
    await files.write(guest, "/root/again", "third", root);
    expect(await read("/root/again")).toMatchObject({ bytes: Buffer.from("third") });
  });

  it("replaces a link and leaves what it points to", async () => {
    await files.write(guest, "/root/target", "kept", owner);
    await files.makeSymlink(guest, "/root/link", "/root/target");
    expect(await read("/root/link")).toEqual({ kind: "symlink", target: "/root/target" });
    await files.write(guest, "/root/link", "own", owner);
    expect(await read("/root/link")).toMatchObject({ kind: "file", bytes: Buffer.from("own") });
    expect(await read("/root/target")).toMatchObject({ bytes: Buffer.from("kept") });
  });

  it("makes a directory once, lists it, and follows a link to it", async () => {
    await files.makeDirectory(guest, "/root/d", { ...owner, mode: 0o750 });
    await files.makeDirectory(guest, "/root/d", root);
    await files.write(guest, "/root/d/b", "", owner);
    await files.write(guest, "/root/d/a", "", owner);
    expect(await read("/root/d", 1)).toEqual({ kind: "directory", names: ["a", "b"] });
    await files.makeSymlink(guest, "/root/to-d", "/root/d");
    await files.makeDirectory(guest, "/root/to-d", root);
    expect(await read("/root/to-d/a")).toMatchObject({ kind: "file" });
  });

  it("refuses a directory where a file is and a file where a directory is", async () => {
    await files.write(guest, "/root/plain", "", owner);
    await expect(files.makeDirectory(guest, "/root/plain", owner)).rejects.toMatchObject({
      code: "guest-file-kind",
    });
    await expect(files.write(guest, "/etc", "", owner)).rejects.toMatchObject({ code: "guest-file-kind" });
  });

  it("tells missing from removed", async () => {
    expect(await read("/root/no-such")).toBeUndefined();
    expect(await read("/no/such")).toBeUndefined();
    expect(await files.remove(guest, "/root/no-such")).toBe(false);
    await files.write(guest, "/root/gone", "", owner);
    expect(await files.remove(guest, "/root/gone")).toBe(true);
    expect(await read("/root/gone")).toBeUndefined();
    await expect(files.write(guest, "/no/such/file", "", owner)).rejects.toMatchObject({ outcome: "error" });
    await files.makeDirectory(guest, "/root/full", owner);
    await files.write(guest, "/root/full/file", "", owner);
    await expect(files.remove(guest, "/root/full")).rejects.toMatchObject({ outcome: "error" });
  });

  it("throws for an instance that is not there", async () => {
    const missing = { code: "instance-not-found" };
    await expect(files.read("no-such", "/etc", { limit: 1 })).rejects.toMatchObject(missing);
    await expect(files.write("no-such", "/etc/x", "", owner)).rejects.toMatchObject(missing);
    await expect(files.remove("no-such", "/etc/x")).rejects.toMatchObject(missing);
  });

  it.each(["/proc/version", "/etc/../sys/kernel/uevent_seqnum", "/proc", "relative", "/nul\0"])(
    "X-87 trap 13: refuses %j, which Incus would show empty or not at all",
    async (path) => {
      await expect(read(path)).rejects.toMatchObject({ code: "guest-path" });
    },
  );

  it.each([-1, 0o1000, 0o4755, 1.5, Number.NaN])(
    "X-87 trap 13: refuses the mode %d, which Incus would misread",
    async (mode) => {
      await expect(files.write(guest, "/root/mode", "", { ...owner, mode })).rejects.toMatchObject({
        code: "guest-file-mode",
      });
      expect(await read("/root/mode")).toBeUndefined();
    },
  );
}
