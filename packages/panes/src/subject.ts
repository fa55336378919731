import type { Activity } from "@agent-control/activity";
import type { Clock, Locks } from "@agent-control/base";
import type { Harness } from "@agent-control/harness";
import type { Multiplexer, Target } from "@agent-control/multiplexer";

/** An agent in a pane: what is typed into, what it runs, under which launch it reports. */
export interface Subject {
  readonly target: Target;
  readonly harness: Harness;
  readonly launchId: string;
  /** True while the process of the launch runs; asked before and during waits. */
  readonly isAlive: () => boolean;
}

/** What acting on panes needs. */
export interface PanePorts {
  readonly multiplexer: Multiplexer;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly locks: Locks;
  /** Directory of the per-pane locks, shared by every process of this user. */
  readonly lockDirectory: string;
}
