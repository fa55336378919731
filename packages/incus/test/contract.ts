import { describe } from "vitest";
import { eventsContract } from "./events-contract.ts";
import { execContract } from "./exec-contract.ts";
import { filesContract } from "./files-contract.ts";
import { instancesContract } from "./instances-contract.ts";
import { namedContract } from "./named-contract.ts";
import type { World } from "./world.ts";

/** The suite that the fake and the real Incus pass alike. */
export function incusContract(world: World): void {
  describe("instances", () => instancesContract(world));
  describe("exec", () => execContract(world));
  describe("files", () => filesContract(world));
  describe("named things", () => namedContract(world));
  describe("events", () => eventsContract(world));
}
