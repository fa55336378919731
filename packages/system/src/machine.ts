import type { Clock, Files, Locks, Processes, ProcessTable, Random, Watch } from "@agent-control/base";
import { createClock } from "./clock.ts";
import { createFiles } from "./files.ts";
import { createLocks } from "./locks.ts";
import { createProcessTable } from "./process-table.ts";
import { createProcesses } from "./processes.ts";
import { createRandom } from "./random.ts";
import { createWatch, type WatchOptions } from "./watch.ts";

/** Every port of this machine. */
export interface Machine {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly locks: Locks;
  readonly processes: Processes;
  readonly processTable: ProcessTable;
  readonly watch: Watch;
}

/** Makes the real ports; touches nothing until one is used. */
export function createMachine(options: WatchOptions): Machine {
  const clock = createClock();
  const random = createRandom();
  const files = createFiles({ random });
  const processTable = createProcessTable();
  const locks = createLocks({ clock, random, files, processTable });
  return {
    clock,
    random,
    files,
    locks,
    processes: createProcesses(),
    processTable,
    watch: createWatch(options),
  };
}
