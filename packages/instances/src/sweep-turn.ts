import type { InstanceSeen } from "@agent-control/incus";
import type { DormantStopPorts } from "./dormant-stop.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import type { SessionLife } from "./session.ts";
import { type OrphanLimits, sweepVerdict, type Verdict } from "./sweep-verdict.ts";

export interface SweepPorts extends DormantStopPorts, Pick<HoldingPorts, "processTable" | "owner"> {
  readonly guest: Pick<HoldingPorts["guest"], "presence">;
}

/** What a sweep does to an instance, for the audit. */
export interface SweepAct {
  readonly instance: string;
  readonly act: "destroy" | "stop-dormant";
  /** A clause: "an orphan past orphan-grace-hours". */
  readonly why: string;
}

export interface SweepOptions {
  readonly limits: OrphanLimits;
  /** Runs an act between its audit records and resolves to what `body` does: false when it was not done after all. */
  readonly audited: (act: SweepAct, body: () => Promise<boolean>) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** What became of one instance of this user. */
export interface Swept {
  readonly instance: string;
  readonly did: "left" | "stopped" | "destroyed" | "failed";
  readonly why: string;
}

/** One instance's turn in a sweep. */
export interface SweepTurn {
  readonly ports: SweepPorts;
  readonly options: SweepOptions;
  readonly name: string;
  /** On the instance as it was just seen, at this moment. */
  verdict(seen: InstanceSeen): Verdict;
}

export function createTurn(
  ports: SweepPorts,
  options: SweepOptions,
  { name, isAlive }: { readonly name: string; readonly isAlive: SessionLife },
): SweepTurn {
  const { owner, clock } = ports;
  const { limits } = options;
  return {
    ports,
    options,
    name,
    verdict: (seen) => sweepVerdict(seen, { owner, isAlive, nowMs: clock.now(), limits }),
  };
}
