import type { Clock, Files, Locks, Random } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import type { Guest } from "./guest.ts";
import type { HostNames } from "./networks.ts";
import type { TemplateLock } from "./template-lock.ts";

/** What building needs of the world. */
export interface BuildParts {
  readonly incus: Incus;
  readonly guest: Pick<Guest, "waitForBoot">;
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: Random;
  readonly names: HostNames;
  /** `<uid>:<name>` of this user. */
  readonly owner: string;
  /** For locks; the same as branching's. */
  readonly lockDirectory: string;
  /** PEM of the proxy's authority as it is now; undefined: there is no proxy. */
  certificate(): string | undefined;
  readonly templateLock: TemplateLock;
}
