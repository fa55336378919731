// What the two commands need of the machine: pnpm through npx, Debian packages through apt when root, Node 24 from npm.
import { execFileSync, spawnSync } from "node:child_process";

export const pnpmVersion = "10.34.9";
export const isRoot = process.getuid?.() === 0;

/** argv that runs pnpm, which may replace a node_modules of another place unasked; the npm registry is all it needs. */
export function pnpm(...args) {
  return ["npx", ["-y", `pnpm@${pnpmVersion}`, "--config.confirmModulesPurge=false", ...args]];
}

export function hasProgram(name) {
  return spawnSync("which", [name], { stdio: "ignore" }).status === 0;
}

/**
 * Installs the Debian packages whose program is missing, as root; otherwise prints the exact command. Returns the
 * programs that are still missing.
 */
export function ensurePrograms(packages) {
  const missing = Object.entries(packages).filter(([program]) => !hasProgram(program));
  if (missing.length === 0) return [];
  const names = missing.map(([, debian]) => debian);
  if (!isRoot || !hasProgram("apt-get")) {
    console.log(`Missing: ${names.join(", ")}. Install with: sudo apt-get install -y ${names.join(" ")}`);
    return missing.map(([program]) => program);
  }
  installPackages(names);
  return missing.map(([program]) => program).filter((program) => !hasProgram(program));
}

/** Installs Debian packages with apt-get, as root; what it says goes to stderr. */
export function installPackages(names) {
  console.error(`Installing ${names.join(", ")} with apt-get`);
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  const apt = (...args) => spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], options);
  apt("update");
  apt("install", "-y", "--no-install-recommends", ...names);
}

/** Path of a Node 24 that npm brings. */
export function node24() {
  return execFileSync("npx", ["-y", "-p", "node@24", "node", "-p", "process.execPath"], {
    encoding: "utf8",
  }).trim();
}
