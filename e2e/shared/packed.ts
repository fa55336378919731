import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pnpm } from "../../tools/machine.mjs";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** Packs a built package as it would be published; returns the tarball's path. */
export function pack(name: string, destination: string): string {
  const [file, args] = pnpm("pack", "--pack-destination", destination, "--json");
  const out = execFileSync(file, args, { cwd: join(packages, name), encoding: "utf8" });
  return (JSON.parse(out) as { filename: string }).filename;
}

/** Installs tarballs with npm into a new directory; returns it. */
export function installIn(directory: string, tarballs: readonly string[]): string {
  mkdirSync(directory);
  const manifest = { name: basename(directory), private: true, type: "module" };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs], {
    cwd: directory,
    // npm needs what this machine's registry access needs: certificates, proxies, its own configuration.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return directory;
}
