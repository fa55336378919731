import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterAll } from "vitest";

/** Bundles a program of test/fixtures so that plain Node runs it; answers its path. Call it in `beforeAll`. */
export async function buildFixture(name: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "fixture-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const entry = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  await build({
    config: false,
    entry: [entry],
    outDir: directory,
    format: ["esm"],
    target: "node20",
    noExternal: [/^@agent-control\//],
    external: ["execa"],
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = ["@agent-control/source"];
    },
    outExtension: () => ({ js: ".mjs" }),
  });
  // Readable for the other users that some tests become.
  chmodSync(directory, 0o755);
  return join(directory, basename(name).replace(/\.ts$/, ".mjs"));
}
