import { basename, join } from "node:path";
import { build } from "tsup";

/** Bundles one program, workspace packages and all, as `<name>.mjs`; resolves with its path. */
export async function bundle(entry: string, outDir: string): Promise<string> {
  await build({
    config: false,
    entry: [entry],
    outDir,
    format: ["esm"],
    target: "node20",
    noExternal: [/./],
    silent: true,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    esbuildOptions: (options) => {
      options.conditions = ["@agent-control/source", "node", "import"];
    },
    outExtension: () => ({ js: ".mjs" }),
  });
  return join(outDir, basename(entry).replace(/\.ts$/, ".mjs"));
}
