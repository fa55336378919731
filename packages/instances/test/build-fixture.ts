import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";

export interface Fixture {
  /** For plain Node. */
  readonly program: string;
  remove(): void;
}

/** Bundles a program of test/fixtures, so that it runs as a process that a test may kill. */
export async function buildFixture(name: string): Promise<Fixture> {
  const root = mkdtempSync(join(tmpdir(), "isx fixture é "));
  await build({
    entry: [join(import.meta.dirname, "fixtures", `${name}.ts`)],
    config: false,
    outDir: root,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    noExternal: [/.*/],
    silent: true,
    splitting: false,
    banner: { js: 'import{createRequire as __r}from"node:module";const require=__r(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@agent-control/source", "node", "import"];
    },
  });
  return { program: join(root, `${name}.mjs`), remove: () => rmSync(root, { recursive: true }) };
}
