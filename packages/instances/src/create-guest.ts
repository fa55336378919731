import type { Guest } from "./guest.ts";
import { waitForBoot } from "./guest-boot.ts";
import { execInGuest, type GuestPorts } from "./guest-exec.ts";
import { listTasks, lookForPresence, probeTasks } from "./guest-look.ts";
import { cancelTasks, clearTasks, readTask, startTask } from "./guest-tasks.ts";

/** The port over Incus' exec; every call but a stopped command's is one exec. */
export function createGuest(ports: GuestPorts): Guest {
  return {
    waitForBoot: (instance, limit) => waitForBoot(ports, instance, limit),
    exec: (instance, request) => execInGuest(ports, instance, request),
    startTask: (instance, task, signal) => startTask(ports, instance, { ...task, signal }),
    probeTasks: (instance, ids, limit) => probeTasks(ports, instance, { ids, ...limit }),
    listTasks: (instance, signal) => listTasks(ports, instance, { timeoutMs: 10_000, signal }),
    readTask: (instance, id, piece) => readTask(ports, instance, { id, ...piece }),
    cancelTasks: (instance, ids, signal) => cancelTasks(ports, instance, { ids, signal }),
    clearTasks: (instance, signal) => clearTasks(ports, instance, signal),
    presence: (instance, limit) => lookForPresence(ports, instance, limit),
  };
}
