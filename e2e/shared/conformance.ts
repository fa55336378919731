import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface Verdict {
  readonly code: number;
  readonly passed: number;
  readonly failed: readonly string[];
}

/** What `runSuite` says of a server that does everything right. */
export const everythingPassed: Verdict = { code: 0, passed: 13, failed: [] };

/** Runs tools/conformance against a stdio server; prints the suite's output when something failed. */
export async function runSuite(server: readonly string[]): Promise<Verdict> {
  const suite = [process.execPath, "tools/conformance/run.mjs", "--", ...server];
  // npm keeps its cache and its settings in the real home.
  const ran = await runProgram(suite, { env: definedEnvironment(), input: "", cwd: repository });
  const verdict = JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "") as Omit<Verdict, "code">;
  if (ran.code !== 0) console.error(ran.stdout + ran.stderr);
  return { code: ran.code, ...verdict };
}

/** Why the suite cannot run here; undefined when it can. It needs Node 22, which npm brings when this one is older. */
export function suiteProblem(): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= 22) return undefined;
  try {
    execFileSync("npx", ["-y", "-p", "node@24", "node", "--version"], { stdio: "pipe", timeout: 300_000 });
    return undefined;
  } catch (error) {
    return `npm cannot bring Node 24, which the conformance suite needs: ${error}`;
  }
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
}
