import {
  type FakeClock,
  fakeClock,
  fakeProcessTable,
  fakeRandom,
  type MemoryFiles,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { createTasks } from "../src/create-tasks.ts";
import type { Tasks } from "../src/tasks.ts";
import { type FakeGuests, fakeGuests } from "./fake-guests.ts";

/** Sessions of one person on one machine, each in a process of its own. */
export interface TasksWorld extends FakeGuests {
  readonly clock: FakeClock;
  readonly files: MemoryFiles;
  readonly directory: string;
  session(name: string): Tasks;
  /** The session's process ends. */
  kill(name: string): void;
  counted(): number;
}

export function tasksWorld(): TasksWorld {
  const clock = fakeClock();
  const files = memoryFiles();
  const guests = fakeGuests();
  const locks = memoryLocks(clock);
  const directory = "/state/tasks";
  const table = fakeProcessTable();
  const pids = new Map<string, number>();
  return {
    ...guests,
    get hold() {
      return guests.hold;
    },
    set hold(wait) {
      guests.hold = wait;
    },
    clock,
    files,
    directory,
    session(name) {
      const pid = 5000 + pids.size;
      pids.set(name, pid);
      const own = table.add({ pid });
      const processTable = { ...table, self: () => own };
      return createTasks({
        ...{ clock, files, locks, directory, processTable, session: name },
        ...{ guest: guests.guest, instances: guests.instances, random: fakeRandom(pid) },
      });
    },
    kill: (name) => table.exit(pids.get(name) ?? 0),
    counted: () => files.list(directory).filter((file) => file.endsWith(".json")).length,
  };
}
