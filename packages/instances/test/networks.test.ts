import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Branched } from "../src/branching.ts";
import type { Template } from "../src/templates.ts";
import { incusSocket, openWorld, proxyPort, type RealWorld } from "./branching-world.ts";
import { readyTemplate } from "./ready-template.ts";

const otherPort = 18444;

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let world: RealWorld;
  let template: Template;
  let servers: readonly Server[];
  const branches = new Map<string, Branched>();
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
    template = await readyTemplate(world, { name: "tpl-net" });
    servers = await Promise.all([listen(proxyPort), listen(otherPort)]);
    const wanted = [
      ["full", "full"],
      ["full-too", "full"],
      ["one", "proxy-only"],
      ["two", "proxy-only"],
    ] as const;
    await Promise.all(
      wanted.map(async ([stem, network]) => {
        const name = world.unique(stem);
        branches.set(stem, await world.branching.branch({ name, from: { template }, stamp: {}, network }));
      }),
    );
  }, 60_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    await world.end();
  }, 60_000);

  const at = (stem: string): Branched & { readonly address: string } => {
    const branched = branches.get(stem);
    if (branched?.address === undefined) throw new Error(`${stem} has no address`);
    return { ...branched, address: branched.address };
  };
  const run = async (stem: string, command: string): Promise<string> => {
    const { stdout } = await world.guest.exec(at(stem).name, { command, maxOutputBytes: 4096 });
    return stdout.text.trim();
  };
  const reaches = async (
    stem: string,
    to: { host: string; port: number; from?: string },
  ): Promise<boolean> => {
    const { host, port, from = "0.0.0.0" } = to;
    const connect =
      "exit !IO::Socket::INET->new(PeerAddr=>$ARGV[0],PeerPort=>$ARGV[1],LocalAddr=>$ARGV[2],Timeout=>2)";
    return (
      (await run(stem, `perl -MIO::Socket::INET -e '${connect}' ${host} ${port} ${from}; echo $?`)) === "0"
    );
  };
  it("X-52 lets a proxy-only instance reach the proxy's port, and neither another one nor the host elsewhere", async () => {
    const { gateway } = world.host.proxyOnly;
    expect(await reaches("full", { host: world.host.full.gateway, port: otherPort })).toBe(true);
    expect(await reaches("full", { host: elsewhere(), port: otherPort })).toBe(true);
    expect(await reaches("one", { host: gateway, port: proxyPort })).toBe(true);
    expect(await reaches("one", { host: gateway, port: otherPort })).toBe(false);
    expect(await reaches("one", { host: elsewhere(), port: otherPort })).toBe(false);
    expect(await reaches("one", { host: elsewhere(), port: proxyPort })).toBe(false);
    expect(await reaches("one", { host: world.host.full.gateway, port: proxyPort })).toBe(false);
  });

  it("X-52 resolves no name for a proxy-only instance", async () => {
    expect(await run("one", "getent ahosts deb.debian.org; getent ahosts example.com; echo end")).toBe("end");
  });

  it.each([
    ["full", "full-too"],
    ["one", "two"],
  ])("X-51 keeps instances of one bridge apart: %s does not reach %s", async (from, to) => {
    const accept = "$s=IO::Socket::INET->new(Listen=>5,LocalPort=>7000) or die;1 while $s->accept";
    const start = `(setsid perl -MIO::Socket::INET -e '${accept}' < /dev/null > /dev/null 2>&1 &)`;
    const listening = await run(to, `${start}; until ss -ltn | grep -q :7000; do sleep 0.05; done; echo up`);
    expect(listening).toBe("up");
    const target = { host: at(to).address, port: 7000 };
    expect(await reaches(to, target)).toBe(true);
    expect(await reaches(from, target)).toBe(false);
  });

  it("X-51 drops what an instance sends from another address, a free one and a neighbour's", async () => {
    const { gateway } = world.host.proxyOnly;
    const own = { host: gateway, port: proxyPort, from: at("one").address };
    expect(await reaches("one", own)).toBe(true);
    const free = `${gateway.slice(0, gateway.lastIndexOf("."))}.250`;
    for (const from of [free, at("two").address]) {
      await run("one", `sudo ip address add ${from}/24 dev eth0`);
      expect(await reaches("one", { ...own, from })).toBe(false);
      await run("one", `sudo ip address del ${from}/24 dev eth0`);
    }
    expect(await reaches("one", own)).toBe(true);
  });

  it("X-51 drops what an instance sends from another hardware address", async () => {
    const to = { host: world.host.proxyOnly.gateway, port: proxyPort };
    const real = await run("two", "cat /sys/class/net/eth0/address");
    // By hand from here on: networkd would take the address away with the lease.
    await run("two", "sudo systemctl stop systemd-networkd.socket systemd-networkd");
    const become = (mac: string) =>
      run(
        "two",
        `sudo ip link set eth0 address ${mac}; sudo ip address replace ${at("two").address}/24 dev eth0`,
      );
    await become(real);
    expect(await reaches("two", to)).toBe(true);
    await become("02:00:00:00:be:ef");
    expect(await reaches("two", to)).toBe(false);
    await become(real);
    expect(await reaches("two", to)).toBe(true);
  });

  it("X-51 gives every NIC its fixed address and its filters", async () => {
    for (const stem of branches.keys()) {
      const seen = await world.incus.instances.get(at(stem).name);
      expect(seen?.expandedDevices["eth0"]).toMatchObject({
        "ipv4.address": at(stem).address,
        "security.ipv4_filtering": "true",
        "security.mac_filtering": "true",
        "security.port_isolation": "true",
      });
    }
  });
});

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.on("error", reject);
    server.listen(port, "0.0.0.0", () => resolve(server));
  });
}

/** An address of this machine that is on none of the bridges. */
function elsewhere(): string {
  const all = Object.entries(networkInterfaces()).filter(([name]) => !name.startsWith("isx"));
  const found = all
    .flatMap(([, addresses]) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  if (!found) throw new Error("This machine has no address of its own");
  return found.address;
}
