import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { incusd } from "./debian.mjs";
import { problem } from "./problem.mjs";
import { holdsWithin, processesThat, signal } from "./processes.mjs";
import { tryRun } from "./run.mjs";

/** Process ids of the host's daemon: one or none. Its log's path is in its arguments, and in nobody else's. */
export function daemonPids(host) {
  return processesThat(({ argv }) => argv()[0] === incusd && argv().includes(host.log));
}

/** Starts the daemon, unless it runs, and waits until it answers. */
export function startDaemon(host) {
  if (daemonPids(host).length === 0) {
    const out = openSync(`${host.dir}/incusd.out`, "a");
    const options = { env: host.environment, cwd: "/", detached: true, stdio: ["ignore", out, out] };
    spawn(incusd, ["--group", "incus-admin", "--logfile", host.log], options).unref();
  }
  const ready = tryRun(incusd, ["waitready", "--timeout=60"], { env: host.environment });
  if (!ready.ok) throw problem("Incus does not answer after 60 seconds", `read ${host.log}`);
}

/** Ends the daemon and waits until it is gone; its instances run on. */
export async function stopDaemon(host) {
  for (const pid of daemonPids(host)) signal(pid, "SIGTERM");
  if (await holdsWithin(30_000, () => daemonPids(host).length === 0)) return;
  for (const pid of daemonPids(host)) signal(pid, "SIGKILL");
  if (!(await holdsWithin(5_000, () => daemonPids(host).length === 0))) {
    throw problem("Incus does not end", `look at the processes ${daemonPids(host).join(" ")}`);
  }
}
