import { beforeAll, expect, it } from "vitest";
import { make, seen, type World } from "./world.ts";

/** What every implementation of `Incus.instances` does. */
export function instancesContract(world: World): void {
  const { incus } = world;
  const { instances } = incus;
  let stopped: string;
  beforeAll(async () => {
    stopped = await make(world);
  });

  it("shows a new instance, and nothing for a name that is free", async () => {
    const { name, status, type, profiles, createdAt } = await seen(incus, stopped);
    expect({ name, status, type, profiles }).toEqual({
      name: stopped,
      status: "Stopped",
      type: "container",
      profiles: ["default"],
    });
    expect(Date.parse(createdAt)).toBeGreaterThan(0);
    expect(await instances.get("no-such")).toBeUndefined();
    expect(await instances.state("no-such")).toBeUndefined();
  });

  it("shows what a profile adds apart from the instance's own", async () => {
    const { devices, expandedDevices } = await seen(incus, stopped);
    expect(devices).toEqual({});
    expect(expandedDevices).toMatchObject({ eth0: { type: "nic" }, root: { type: "disk" } });
  });

  it("X-87 lets exactly one of several concurrent creates have the name", async () => {
    const name = world.name();
    const create = () => instances.create({ name, source: { type: "copy", instance: stopped } });
    const ended = await Promise.allSettled([create(), create(), create(), create()]);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const { reason } of ended.filter((one) => one.status === "rejected")) {
      expect(reason).toMatchObject({ outcome: "error", code: "name-taken" });
    }
  });

  it("says which is missing: the image or the source", async () => {
    const name = world.name();
    await expect(
      instances.create({ name, source: { type: "image", alias: "no-such" } }),
    ).rejects.toMatchObject({ code: "image-missing" });
    await expect(
      instances.create({ name, source: { type: "copy", instance: "no-such" } }),
    ).rejects.toMatchObject({ code: "instance-not-found" });
    expect(await instances.get(name)).toBeUndefined();
  });

  it("X-87 trap 11: a copy inherits every key; what is given overrides, and an empty one removes", async () => {
    const source = world.name();
    const config = { "user.a": "1", "user.b": "2", "user.c": "3", "limits.processes": "500" };
    await instances.create({ name: source, source: { type: "image", alias: world.image }, config });
    const copy = world.name();
    await instances.create({
      name: copy,
      source: { type: "copy", instance: source },
      config: { "user.b": "", "user.c": "own" },
    });
    const { config: copied } = await seen(incus, copy);
    expect(copied).toMatchObject({ "user.a": "1", "user.c": "own", "limits.processes": "500" });
    expect(copied).not.toHaveProperty("user.b");
  });

  it("X-87 traps 10 and 12: of eight concurrent changes with one ETag exactly one is written", async () => {
    const { etag } = await seen(incus, stopped);
    const claims = Array.from({ length: 8 }, (_, index) =>
      instances.change(stopped, { config: { "user.claim": `session-${index}` } }, etag),
    );
    const won = await Promise.all(claims);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await seen(incus, stopped)).config["user.claim"]).toBe(`session-${won.indexOf(true)}`);
  });

  it("merges keys, removes empty ones, and answers false once the instance has changed or is gone", async () => {
    const first = await seen(incus, stopped);
    const odd = "Zeile 1\nЮникод \"'$`\\ 🎉";
    const change = { config: { "user.keep": odd, "user.drop": "x" } };
    expect(await instances.change(stopped, change, first.etag)).toBe(true);
    expect(await instances.change(stopped, change, first.etag)).toBe(false);
    const second = await seen(incus, stopped);
    expect(await instances.change(stopped, { config: { "user.drop": "" } }, second.etag)).toBe(true);
    const { config } = await seen(incus, stopped);
    expect(config["user.keep"]).toBe(odd);
    expect(config).not.toHaveProperty("user.drop");
    expect(await instances.change("no-such", change, first.etag)).toBe(false);
  });

  it("replaces a named device whole, removes one by null, and leaves every other key and device", async () => {
    const name = await make(world);
    const bare = await seen(incus, name);
    const disk = (path: string) => ({ type: "disk", source: "/usr/share", path, readonly: "true" });
    const devices = { one: disk("/mnt/one"), two: disk("/mnt/two") };
    expect(await instances.change(name, { devices, config: { "user.x": "1" } }, bare.etag)).toBe(true);
    const both = await seen(incus, name);
    expect(both.devices).toEqual(devices);
    const next = { one: null, two: { type: "disk", source: "/usr/share", path: "/mnt/2" } };
    expect(await instances.change(name, { devices: next, config: { "user.y": "2" } }, bare.etag)).toBe(false);
    expect(await instances.change(name, { devices: next, config: { "user.y": "2" } }, both.etag)).toBe(true);
    const last = await seen(incus, name);
    expect(last.devices).toEqual({ two: next.two });
    expect(last.config).toMatchObject({ ...both.config, "user.y": "2" });
  });

  it("X-87 trap 15: refuses ACLs on a NIC, which would take its anti-spoofing rules away", async () => {
    const { etag } = await seen(incus, stopped);
    const devices = { eth0: { type: "nic", network: "br0", "security.acls": "po" } };
    await expect(instances.change(stopped, { devices }, etag)).rejects.toMatchObject({ code: "nic-acls" });
    const name = world.name();
    const source = { type: "copy", instance: stopped } as const;
    await expect(instances.create({ name, source, devices })).rejects.toMatchObject({ code: "nic-acls" });
    expect((await seen(incus, stopped)).etag).toBe(etag);
  });

  it("starts and stops as often as it is asked; the ETag changes with each", async () => {
    const name = await make(world);
    const before = await seen(incus, name);
    await instances.start(name);
    await instances.start(name);
    const running = await seen(incus, name);
    expect(running.status).toBe("Running");
    expect(running.etag).not.toBe(before.etag);
    expect((await instances.state(name))?.pid).toBeGreaterThan(0);
    await expect(instances.delete(name)).rejects.toMatchObject({ code: "instance-running" });
    expect(await instances.stop(name, { force: true })).toBe(true);
    expect(await instances.stop(name, { force: true })).toBe(true);
    expect(await instances.stop(name, { graceS: 1 })).toBe(true);
    expect(await instances.state(name)).toEqual({ status: "Stopped", pid: 0, cpuNs: undefined, network: {} });
    expect((await seen(incus, name)).etag).not.toBe(running.etag);
    expect(await instances.delete(name)).toBe(true);
    expect(await instances.delete(name)).toBe(false);
    await expect(instances.start(name)).rejects.toMatchObject({ code: "instance-not-found" });
  });

  it("lists by exact keys, odd characters among them", async () => {
    const value = '1000:ada (a+b) "c" or config.user.x eq 1';
    const config = { "user.where": value, "user.owner": "1000:ada.b-c_d" };
    const name = world.name();
    await instances.create({ name, source: { type: "copy", instance: stopped }, config });
    const names = async (where: Record<string, string>) =>
      (await instances.list({ where })).map((instance) => instance.name);
    expect(await names({ "user.where": value })).toEqual([name]);
    expect(await names({ "user.owner": "1000:ada.b-c_d" })).toEqual([name]);
    expect(await names({ "user.owner": "1000:ada.b-c_d", "user.where": value })).toEqual([name]);
    expect(await names({ "user.owner": "1000:ada" })).toEqual([]);
    expect(await names({ "user.owner": "1000:adaXb-c_d" })).toEqual([]);
    expect(await names({})).toEqual(expect.arrayContaining([name, stopped]));
  });

  it("renames a stopped instance", async () => {
    const name = await make(world);
    const to = world.name();
    await instances.rename(name, to);
    expect(await instances.get(name)).toBeUndefined();
    expect((await seen(incus, to)).name).toBe(to);
    await expect(instances.rename(to, stopped)).rejects.toMatchObject({ code: "name-taken" });
  });

  it("does nothing for a call that is cancelled before it begins", async () => {
    const name = world.name();
    const signal = AbortSignal.abort();
    const source = { type: "copy", instance: stopped } as const;
    await expect(instances.create({ name, source }, signal)).rejects.toMatchObject({ outcome: "cancelled" });
    await expect(instances.list({ signal })).rejects.toMatchObject({ outcome: "cancelled" });
    expect(await instances.get(name)).toBeUndefined();
  });

  it.each(["", ".", ".."])("takes %j for no name and never for the list above", async (name) => {
    await expect(instances.get(name)).rejects.toMatchObject({ code: "bad-name" });
    await expect(instances.delete(name)).rejects.toMatchObject({ code: "bad-name" });
  });
}
