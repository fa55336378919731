import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareHost } from "../src/host-setup.ts";
import { isClosed } from "../src/networks.ts";
import { incusSocket, openWorld, proxyPort, type RealWorld } from "./branching-world.ts";

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let ada: RealWorld;
  beforeAll(async () => {
    ada = await openWorld(incusSocket ?? "");
  }, 60_000);
  afterAll(() => ada.end(), 60_000);

  const ports = () => ({ ...ada.machine, incus: ada.incus });
  const setup = () => ({ names: ada.names, pool: "default", proxyPorts: [proxyPort], project: ada.project });

  it("X-02 makes project, profile and two bridges with names that the kernel takes, and says so", () => {
    expect(ada.host.changes).toEqual([
      `project ${ada.project}`,
      `network ${ada.names.full}`,
      `network ${ada.names.proxyOnly}`,
      `access list ${ada.names.acl}`,
      expect.stringMatching(/^security\.acls.*raw\.dnsmasq of network /),
      `profile ${ada.names.profile}`,
    ]);
    expect(ada.names.full.length).toBeLessThanOrEqual(15);
    expect(ada.names.proxyOnly.length).toBeLessThanOrEqual(15);
  });

  it("X-02 changes nothing when it runs again", async () => {
    expect((await prepareHost(ports(), setup())).changes).toEqual([]);
  });

  it("X-52 closes a proxy-only network again that was opened, and keeps names that the proxy added", async () => {
    const { incus, names } = ada;
    const there = await incus.networks.get(names.proxyOnly);
    const added = "no-resolv\naddress=/#/\naddress=/api.example.com/10.0.0.1";
    const config = {
      "ipv4.nat": "true",
      "security.acls.default.egress.action": "allow",
      "raw.dnsmasq": added,
    };
    await incus.networks.change(names.proxyOnly, { config }, there?.etag ?? "");
    expect((await prepareHost(ports(), setup())).changes).toEqual([
      `ipv4.nat, security.acls.default.egress.action of network ${names.proxyOnly}`,
    ]);
    const after = await incus.networks.get(names.proxyOnly);
    expect(after && isClosed(after, names)).toBe(true);
    expect(after?.config["raw.dnsmasq"]).toBe(added);
  });

  it("X-52 corrects an access list that allows more", async () => {
    const { incus, names } = ada;
    const there = await incus.networkAcls.get(names.acl);
    const rule = { action: "allow", state: "enabled" } as const;
    await incus.networkAcls.change(
      names.acl,
      { egress: [...(there?.egress ?? []), rule] },
      there?.etag ?? "",
    );
    expect((await prepareHost(ports(), setup())).changes).toEqual([`rules of access list ${names.acl}`]);
    expect((await incus.networkAcls.get(names.acl))?.egress).toEqual(there?.egress);
  });

  it("X-86 gives a second user other bridges on other subnets, and leaves the first one's alone", async () => {
    const grace = await openWorld(incusSocket ?? "");
    try {
      const networks = [ada, grace].flatMap(({ host }) => [host.full, host.proxyOnly]);
      expect(new Set(networks.map(({ network }) => network)).size).toBe(4);
      expect(new Set(networks.map(({ gateway }) => gateway)).size).toBe(4);
      expect((await prepareHost(ports(), setup())).changes).toEqual([]);
    } finally {
      await grace.end();
    }
  }, 30_000);
});
