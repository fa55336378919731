import { join } from "node:path";
import { createActivity } from "@agent-control/activity";
import { type Audit, createAudit } from "@agent-control/audit";
import { Failure } from "@agent-control/base";
import { createLaunches, type FleetPorts, type Places } from "@agent-control/fleet";
import { createTmux, type Multiplexer } from "@agent-control/multiplexer";
import { withSharedLooks } from "@agent-control/panes";
import { createRateWindow } from "@agent-control/policy";
import { createMachine, type Machine } from "@agent-control/system";
import type { Environment } from "./places.ts";

/** What the process gives to the composition root. */
export interface ProcessFacts {
  readonly env: Environment;
  readonly home: string;
  readonly uid: number;
  /** argv that runs this program, without a verb. */
  readonly program: readonly string[];
  readonly diagnose: (line: string) => void;
}

/** The real ports of one state directory. */
export interface Wiring {
  readonly machine: Machine;
  readonly fleet: FleetPorts;
  readonly audit: Audit;
}

/** The only composition root: everything real is made here, and touches nothing until it is used. */
export function wire(facts: ProcessFacts, places: Places, machine = machineOf(facts)): Wiring {
  const { stateDirectory, runtimeDirectory } = places;
  const activity = createActivity({ ...machine, directory: join(stateDirectory, "fleet") });
  const fleet: FleetPorts = {
    ...machine,
    activity,
    launches: createLaunches(machine, stateDirectory),
    rate: createRateWindow({ ...machine, directory: join(runtimeDirectory, "mcp-rate") }),
    places,
    multiplexer: multiplexers(facts, machine),
    claimProgram: facts.program,
    uid: facts.uid,
    home: facts.home,
  };
  const audit = createAudit({
    ...machine,
    path: auditLog(places),
    diagnose: facts.diagnose,
  });
  return { machine, fleet, audit };
}

/** `audit/control.jsonl` of the state directory. */
export function auditLog(places: Places): string {
  return join(places.stateDirectory, "audit", "control.jsonl");
}

export function machineOf(facts: Pick<ProcessFacts, "diagnose">): Machine {
  return createMachine({ onError: (failure) => facts.diagnose(failure.message) });
}

function multiplexers(facts: ProcessFacts, machine: Machine): FleetPorts["multiplexer"] {
  let tmux: Promise<Multiplexer> | undefined;
  return async (name) => {
    if (name === "tmux") {
      tmux ??= createTmux({ ...machine, env: definedOf(facts.env), uid: facts.uid }).then(withSharedLooks);
      return tmux;
    }
    throw new Failure("unsupported", {
      code: "multiplexer-unsupported",
      message: `${name} is not supported yet`,
      next: 'Set multiplexer = "tmux" under [workspace]',
    });
  };
}

function definedOf(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
