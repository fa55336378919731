import { randomBytes } from "node:crypto";
import type { Random } from "@agent-control/base";

/** The operating system's secure random source. */
export function createRandom(): Random {
  return { bytes: (count) => new Uint8Array(randomBytes(count)) };
}
