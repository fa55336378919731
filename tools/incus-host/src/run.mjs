import { spawnSync } from "node:child_process";
import { problem } from "./problem.mjs";

/** Runs a program to its end and returns its stdout; when it fails, the error holds the end of its stderr. */
export function run(file, args, options = {}) {
  const result = tryRun(file, args, options);
  if (result.ok) return result.stdout;
  throw problem(
    `${[file, ...args].join(" ")} failed: ${result.stderr.trim().slice(-2000)}`,
    "remove the cause and run the same verb again; what is done is kept",
  );
}

/** Runs a program to its end: { ok, stdout, stderr }. */
export function tryRun(file, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  return { ok: status === 0, stdout: stdout ?? "", stderr: error?.message ?? stderr };
}

/** Runs the `incus` command against the host's own daemon. */
export function incus(host, ...args) {
  return run("incus", args, { env: host.environment });
}
