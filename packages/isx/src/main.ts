import { join } from "node:path";
import { type Audit, createAudit } from "@agent-control/audit";
import { createMachine, type Machine } from "@agent-control/system";
import { createHostToolRunner, type HostToolRunner } from "./host-tools/host-tool-runner.ts";
import type { Environment, Places } from "./places.ts";
import { createSettingsReader, type SettingsReader } from "./settings.ts";

/** What the process gives to the composition root. */
export interface ProcessFacts {
  readonly env: Environment;
  readonly home: string;
  readonly uid: number;
  /** Where the program was started; undefined when that directory is gone. */
  readonly directory: string | undefined;
  /** argv that runs this program, without a verb. */
  readonly program: readonly string[];
  readonly diagnose: (line: string) => void;
}

/** The real ports that need no Incus. */
export interface Wiring {
  readonly machine: Machine;
  readonly settings: SettingsReader;
  readonly hostTools: HostToolRunner;
  readonly audit: Audit;
}

/** The only composition root: everything real is made here, and touches nothing until it is used. */
export function wire({ home, diagnose }: ProcessFacts, places: Places): Wiring {
  const machine = createMachine({ onError: (failure) => diagnose(failure.message) });
  const directory = join(places.stateDirectory, "host-tools");
  return {
    machine,
    settings: createSettingsReader(machine.files, places, home),
    hostTools: createHostToolRunner({ ...machine, directory, home }),
    audit: createAudit({ ...machine, path: places.auditLog, diagnose }),
  };
}
