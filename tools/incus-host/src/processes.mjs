import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Process ids whose facts fit: `fits({ argv, mountinfo })`, both read from /proc when asked. */
export function processesThat(fits) {
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) =>
    fits({
      argv: () => procFile(pid, "cmdline").split("\0"),
      mountinfo: () => procFile(pid, "mountinfo"),
    }),
  );
}

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Waits until the condition holds; resolves to whether it did within the time. */
export async function holdsWithin(milliseconds, condition) {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await delay(25);
  }
  return true;
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // The process has ended meanwhile.
  }
}
