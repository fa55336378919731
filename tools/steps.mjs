// Runs named steps one after the other, each a child process, and keeps time and counts.
import { spawn } from "node:child_process";

let running;

/** Runs a program with the given argv on this terminal; resolves to its exit code. */
export function run(file, args, options = {}) {
  return new Promise((resolve) => {
    running = spawn(file, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
    running.on("error", (error) => {
      console.error(`${file}: ${error.message}`);
      resolve(127);
    });
    running.on("close", (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}

/**
 * Runs each step's `run()` → { passed, failed, skipped }; a step that throws counts as failed. A failed step with
 * `essential`, SIGINT or SIGTERM ends the run, except for steps with `always`. Prints a table of minutes and the sum
 * as the last line.
 */
export async function runSteps(steps) {
  const rows = [];
  let ended = false;
  let interrupted = false;
  forwardSignals(() => {
    interrupted = true;
  });
  for (const step of steps) {
    if ((ended || interrupted) && !step.always) continue;
    const started = performance.now();
    console.log(`\n== ${step.name}`);
    const counts = await step.run().catch((error) => {
      console.error(error);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    rows.push({ name: step.name, ...counts, minutes: (performance.now() - started) / 60_000 });
    if (counts.failed > 0 && step.essential) ended = true;
  }
  console.log("\nminutes  passed  failed  skipped  step");
  for (const row of rows) {
    const cells = [
      row.minutes.toFixed(2).padStart(7),
      ...[row.passed, row.failed, row.skipped].map((n) => String(n).padStart(6)),
    ];
    console.log(`${cells.join("  ")}   ${row.name}`);
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`total ${sum("minutes").toFixed(1)} minutes`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  return !interrupted && sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}

/** The program that runs hears the signal too: on a terminal it does anyway, from elsewhere it would not. */
function forwardSignals(onSignal) {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      onSignal();
      running?.kill(signal);
    });
  }
}

/** A step that is one check: passed or failed by its exit code. */
export function check(name, file, args, options = {}) {
  return {
    name,
    essential: options.essential ?? false,
    run: async () =>
      (await run(file, args, options.spawn)) === 0
        ? { passed: 1, failed: 0, skipped: 0 }
        : { passed: 0, failed: 1, skipped: 0 },
  };
}
