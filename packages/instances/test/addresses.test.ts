import { fakeClock, fakeRandom, memoryLocks } from "@agent-control/base/testing";
import { fakeIncus } from "@agent-control/incus/testing";
import { expect, it } from "vitest";
import { withAddress } from "../src/addresses.ts";

const clock = fakeClock();
// Six addresses, one of them the bridge's own.
const bridge = { network: "isx1000f", gateway: "10.9.8.1", prefix: 29 };

function world() {
  const incus = fakeIncus({ clock });
  const parts = { incus, locks: memoryLocks(clock), random: fakeRandom(), directory: "/locks" };
  const carry = (name: string, address: string) =>
    incus.instances.create({
      name,
      source: { type: "image", alias: "base" },
      devices: { eth0: { type: "nic", network: "br0", "ipv4.address": address } },
    });
  return { incus, parts, carry };
}

it("X-51 gives every address of the network once, and none that an instance carries or that is being given out", async () => {
  const { parts, carry } = world();
  await carry("c1", "10.9.8.2");
  const given: string[] = [];
  const nest = async (depth: number): Promise<void> => {
    if (depth === 0) return;
    await withAddress(parts, bridge, async (address) => {
      given.push(address);
      await nest(depth - 1);
    });
  };
  await nest(4);
  expect([...given].sort()).toEqual(["10.9.8.3", "10.9.8.4", "10.9.8.5", "10.9.8.6"]);
});

it("X-51 says so when no address is left", async () => {
  const { parts, carry } = world();
  for (const last of [2, 3, 4, 5, 6]) await carry(`c${last}`, `10.9.8.${last}`);
  await expect(withAddress(parts, bridge, async () => "given")).rejects.toMatchObject({ code: "no-address" });
});

it("X-51 throws what the body throws, busy or not, and gives the address back", async () => {
  const { parts } = world();
  const busy = Object.assign(new Error("busy"), { code: "busy" });
  const failing = withAddress(parts, bridge, async () => {
    throw busy;
  });
  await expect(failing).rejects.toBe(busy);
  const given = new Set<string>();
  for (let tries = 0; tries < 60; tries += 1) {
    await withAddress(parts, bridge, async (address) => given.add(address));
  }
  expect(given.size).toBe(5);
});
