// A private IPv4 subnet that no route of the machine knows. Incus' own search asks every candidate's gateway with a
// ping, and finds none behind a router that answers for everybody.
import { createHash } from "node:crypto";
import { problem } from "./problem.mjs";
import { run } from "./run.mjs";

const tries = 200;

/** Address of the bridge, such as 10.17.4.1/24, in a subnet that is free now; the name decides where the search starts. */
export function freeSubnet(name) {
  const routes = JSON.parse(run("ip", ["-json", "-4", "route", "show", "table", "all"]) || "[]");
  const taken = routes.map(({ dst }) => dst).filter((dst) => dst !== "default");
  const start = createHash("sha256").update(name).digest().readUInt16BE();
  for (let step = 0; step < tries; step++) {
    const third = (start + step) % 65_536;
    const address = `10.${third >> 8}.${third & 255}.1/24`;
    if (!taken.some((route) => overlap(route, address))) return address;
  }
  throw problem(
    "No subnet of 10.0.0.0/8 is free",
    "look at `ip route`, and remove routes that are not needed",
  );
}

/** Whether two IPv4 networks, written as address or address/bits, share an address. */
export function overlap(one, other) {
  const [left, right] = [network(one), network(other)];
  const shift = 32 - Math.min(left.bits, right.bits);
  return Math.floor(left.value / 2 ** shift) === Math.floor(right.value / 2 ** shift);
}

function network(text) {
  const [address, bits = "32"] = text.split("/");
  const value = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return { value, bits: Number(bits) };
}
