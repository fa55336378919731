import { expect, it } from "vitest";
import type { World } from "./world.ts";

/** What every implementation of the named things does; networks and pools are not made here. */
export function namedContract(world: World): void {
  const { profiles, networkAcls, projects, networks, storagePools, images } = world.incus;

  it("makes, shows, lists, changes and deletes a profile", async () => {
    const name = world.name();
    const disk = { type: "disk", source: "/usr/share", path: "/mnt/x" };
    const fields = { config: { "user.a": "1", "user.b": "2" }, devices: { disk }, description: "first" };
    await profiles.create(name, fields);
    try {
      await expect(profiles.create(name, fields)).rejects.toMatchObject({ code: "name-taken" });
      const first = await profiles.get(name);
      expect(first).toMatchObject({ name, ...fields });
      expect(await profiles.change(name, { config: { "user.b": "" } }, first?.etag ?? "")).toBe(true);
      expect(await profiles.change(name, { config: { "user.b": "3" } }, first?.etag ?? "")).toBe(false);
      const { etag: _, ...second } = (await profiles.get(name)) ?? { etag: "" };
      expect(second).toEqual({ name, ...fields, config: { "user.a": "1" } });
      expect(await profiles.list()).toContainEqual(second);
    } finally {
      expect(await profiles.delete(name)).toBe(true);
    }
    expect(await profiles.delete(name)).toBe(false);
    expect(await profiles.get(name)).toBeUndefined();
    expect(await profiles.change(name, { description: "" }, "x")).toBe(false);
  });

  it("keeps the rules of an ACL that gets another description", async () => {
    const name = world.name();
    const rule = { action: "allow", state: "enabled", protocol: "tcp", destination_port: "80" } as const;
    await networkAcls.create(name, { egress: [rule], ingress: [] });
    try {
      const etag = (await networkAcls.get(name))?.etag ?? "";
      expect(await networkAcls.change(name, { description: "web" }, etag)).toBe(true);
      expect(await networkAcls.get(name)).toMatchObject({ egress: [rule], ingress: [], description: "web" });
    } finally {
      expect(await networkAcls.delete(name)).toBe(true);
    }
    expect(await networkAcls.get(name)).toBeUndefined();
  });

  it("tells a project that is not there from one that cannot be looked at", async () => {
    expect(await projects.get("no-such")).toBeUndefined();
    expect(await projects.delete("no-such")).toBe(false);
    const name = world.name();
    await projects.create(name, { config: {} });
    expect((await projects.list()).map((project) => project.name)).toContain(name);
    expect(await projects.delete(name)).toBe(true);
  });

  it("shows networks, their leases, and pools", async () => {
    const [bridge] = (await networks.list()).filter(({ managed }) => managed);
    expect(bridge?.type).toBe("bridge");
    expect(await networks.leases(bridge?.name ?? "")).toEqual(expect.any(Array));
    expect(await networks.get("no-such")).toBeUndefined();
    expect(await storagePools.get("default")).toMatchObject({ name: "default", status: "Created" });
  });

  it("names an image by its alias", async () => {
    const fingerprint = await images.fingerprintOf(world.image);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(await images.fingerprintOf("no-such")).toBeUndefined();
    const [image] = (await images.list()).filter((one) => one.fingerprint === fingerprint);
    expect(image?.aliases).toContain(world.image);
    expect(await images.delete("0123456789ab")).toBe(false);
  });
}
