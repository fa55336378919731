import { fakeRandom, memoryFiles } from "@agent-control/base/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { freeSubnet, networkSubnets, routedSubnets, type Subnet } from "../src/free-subnet.ts";
import { ipv4Number, ipv4Text, prefixMask } from "../src/ipv4.ts";

const subnet = (text: string): Subnet => {
  const [address = "", prefix] = text.split("/");
  return { base: ipv4Number(address), mask: prefixMask(Number(prefix)) };
};

it("X-52 takes a subnet that overlaps no other one, however large or small they are", () => {
  const used = fc.array(
    fc.record({ base: fc.integer({ min: 0, max: 0xffffff }), prefix: fc.integer({ min: 14, max: 32 }) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(used, (networks) => {
      const taken = networks.map(({ base, prefix }) => {
        const mask = prefixMask(prefix);
        return { base: ((0x0a000000 + base) & mask) >>> 0, mask };
      });
      const found = subnet(freeSubnet(taken, fakeRandom()).replace(/\.1\//, ".0/"));
      const overlaps = taken.filter(({ base, mask }) => {
        const common = (mask & found.mask) >>> 0;
        return (base & common) >>> 0 === (found.base & common) >>> 0;
      });
      expect(overlaps).toEqual([]);
    }),
  );
});

it("X-52 says so when all of 10.0.0.0/8 is routed somewhere", () => {
  expect(() => freeSubnet([subnet("10.0.0.0/8")], fakeRandom())).toThrow(
    expect.objectContaining({ code: "no-subnet" }),
  );
});

it("X-52 reads the kernel's routes, leaving out the one to everywhere, and knows none where there are none", () => {
  const files = memoryFiles();
  expect(routedSubnets(files)).toEqual([]);
  files.makeDirectory("/proc/net");
  const lines = [
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT",
    "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0",
    "vpn0\t0000100A\t00000000\t0001\t0\t0\t0\t0000F0FF\t0\t0\t0",
    "",
  ];
  files.write("/proc/net/route", lines.join("\n"));
  expect(routedSubnets(files)).toEqual([{ base: ipv4Number("10.16.0.0"), mask: ipv4Number("255.240.0.0") }]);
});

it("X-52 counts networks of the daemon that are not up", () => {
  const network = { name: "n", type: "bridge", managed: true, description: "" };
  const found = networkSubnets([
    { ...network, config: { "ipv4.address": "10.5.6.1/24" } },
    { ...network, config: { "ipv4.address": "none" } },
    { ...network, config: {} },
  ]);
  expect(found.map(({ base }) => ipv4Text(base))).toEqual(["10.5.6.0"]);
});
