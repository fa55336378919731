export { createClock } from "./clock.ts";
export { createFiles } from "./files.ts";
export { createLocks, type LockPorts } from "./locks.ts";
export { createMachine, type Machine } from "./machine.ts";
export { createProcessTable } from "./process-table.ts";
export { createProcesses } from "./processes.ts";
export { createRandom } from "./random.ts";
export { createWatch, type WatchOptions } from "./watch.ts";
