import type { Activity } from "@agent-control/activity";
import type { Clock, Files, Locks, ProcessTable, Random } from "@agent-control/base";
import type { Multiplexer } from "@agent-control/multiplexer";
import type { RateWindow } from "@agent-control/policy";
import type { Launches } from "./launches.ts";

/** What the verbs need: real ports, and the places of one state directory. */
export interface FleetPorts {
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: Random;
  readonly processTable: ProcessTable;
  readonly activity: Activity;
  readonly launches: Launches;
  readonly rate: RateWindow;
  readonly places: Places;
  /** The adapter for a record's multiplexer; throws `unsupported` or `unavailable` when there is none. */
  readonly multiplexer: (name: "tmux" | "zellij") => Promise<Multiplexer>;
  /** argv that runs this program's `pane` verb, without the verb. */
  readonly claimProgram: readonly string[];
  readonly uid: number;
  readonly home: string;
}

/** The files and directories that one caller's calls use. */
export interface Places {
  readonly configFile: string;
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
}
