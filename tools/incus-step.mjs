// Steps of `npm test`: sets a private Incus up for the tests, names it to them in INCUS_SOCKET, and takes it down.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";

const program = new URL("incus-host/incus-host.mjs", import.meta.url).pathname;

/** The two steps; a daemon that INCUS_SOCKET names already is used as it is. */
export function incusSteps() {
  if (process.env.INCUS_SOCKET) return { up: [], down: [] };
  let directory;
  const up = {
    name: "set up Incus",
    essential: process.env.CI === "true",
    run: async () => {
      directory = mkdtempSync("/var/tmp/ac-incus-"); // Short: it begins a socket's path.
      try {
        process.env.INCUS_SOCKET = incusHost("up", directory).trim();
        return { passed: 1, failed: 0, skipped: 0 };
      } catch {
        // It said why, and what to do.
        const isFailure = process.env.CI === "true";
        return { passed: 0, failed: isFailure ? 1 : 0, skipped: isFailure ? 0 : 1 };
      }
    },
  };
  const down = {
    name: "take Incus down",
    always: true,
    run: async () => {
      if (directory !== undefined) {
        incusHost("down", directory);
        rmSync(directory, { recursive: true, force: true });
      }
      return { passed: 1, failed: 0, skipped: 0 };
    },
  };
  return { up: [up], down: [down] };
}

/** Runs a verb of incus-host; in a process group of its own, because the terminal's interrupt must not end it half way. */
export function incusHost(verb, directory) {
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], detached: true };
  return execFileSync(process.execPath, [program, verb, "--dir", directory], options);
}
