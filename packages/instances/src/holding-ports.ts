import type { Clock, Files, Locks, ProcessTable, Random } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import type { Branching } from "./branching.ts";
import type { Guest } from "./guest.ts";
import type { Tasks } from "./tasks.ts";
import type { Templates } from "./templates.ts";

/** What a session needs to hold instances. */
export interface HoldingPorts {
  readonly incus: Pick<Incus, "instances">;
  readonly branching: Branching;
  readonly templates: Templates;
  readonly guest: Guest;
  readonly tasks: Tasks;
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly processTable: ProcessTable;
  readonly random: Random;
  /** The host user as `ownerOf` says it. */
  readonly owner: string;
  /** This session's id, see session.ts. */
  readonly session: string;
  /** Locks and reservations of this host user, shared by all its sessions; made when missing. */
  readonly directory: string;
}
