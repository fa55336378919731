import { execFileSync } from "node:child_process";

/** The Node to run the suite with, which needs 22 or newer: this one, or 24 from npm. */
export function suiteNode() {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  const args = ["-y", "-p", "node@24", "node", "-p", "process.execPath"];
  return execFileSync("npx", args, { encoding: "utf8" }).trim();
}
