// `npm test`: installs, checks, builds and runs every test. `--quick` leaves out what takes long machines' parts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { incusSteps } from "./incus-step.mjs";
import { ensurePrograms, node24, pnpm } from "./machine.mjs";
import { check, run, runSteps } from "./steps.mjs";

const quick = process.argv.includes("--quick");
const bin = (name) => `node_modules/.bin/${name}`;
const reports = mkdtempSync(join(tmpdir(), "agent-control-reports-"));
const incus = quick ? { up: [], down: [] } : incusSteps();

const steps = [
  check("install", ...pnpm("install", "--frozen-lockfile"), { essential: true }),
  { name: "programs", essential: process.env.CI === "true", run: programs },
  check("lint", bin("biome"), ["check", "."]),
  check("types", bin("tsc"), ["--noEmit"]),
  check("layers", "node", ["tools/check-layers.mjs"]),
  check("unused code", bin("knip"), []),
  check("catalogues", "node", ["tools/generate.mjs", "--check"]),
  check("build", ...pnpm("run", "build"), { essential: true }),
  ...incus.up,
  vitest("unit tests, this Node", { project: "unit" }),
  vitest("e2e tests, this Node", { project: "e2e" }),
  check("bench check", "node", ["tools/bench/run.mjs", "--check", "--runs", "9"]),
  ...(quick
    ? []
    : [
        vitest("unit tests, Node 24", { project: "unit", node: node24 }),
        vitest("packed CLIs, Node 24", { project: "e2e", node: node24, filter: "packed" }),
      ]),
  ...incus.down,
];

process.exitCode = await runSteps(steps);
rmSync(reports, { recursive: true, force: true });

async function programs() {
  const missing = ensurePrograms({ tmux: "tmux", git: "git", python3: "python3" });
  return {
    passed: missing.length === 0 ? 1 : 0,
    failed: process.env.CI === "true" && missing.length > 0 ? 1 : 0,
    skipped: missing.length,
  };
}

/** A vitest project; counts come from its JSON report, and a run without a report is a failure. */
function vitest(name, { project, node = () => process.execPath, filter }) {
  return {
    name,
    essential: false,
    run: async () => {
      const report = join(reports, `${name.replace(/\W+/g, "-")}.json`);
      const path = node();
      const code = await run(
        path,
        [
          "node_modules/vitest/vitest.mjs",
          "run",
          "--project",
          project,
          "--reporter=default",
          "--reporter=json",
          `--outputFile.json=${report}`,
          ...(filter ? [filter] : []),
        ],
        {
          env: {
            ...process.env,
            PATH: `${path.replace(/\/node$/, "")}:${process.env.PATH}`,
            ...(quick ? { QUICK: "true" } : {}),
          },
        },
      );
      const {
        numPassedTests: passed,
        numFailedTests: failed,
        numPendingTests,
        numTodoTests = 0,
        success,
      } = JSON.parse(readFileSync(report, "utf8"));
      const broken = (code !== 0 || !success) && failed === 0 ? 1 : 0;
      return { passed, failed: failed + broken, skipped: numPendingTests + numTodoTests };
    },
  };
}
