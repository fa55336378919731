import { basename, join } from "node:path";
import { build } from "tsup";

/**
 * Bundles one program of a test, workspace packages from their sources and all else included, as `<name>.mjs` in
 * `directory`, so that plain Node runs it as a process of its own. Resolves with its path.
 */
export async function bundleProgram(entry: string, directory: string): Promise<string> {
  await build({
    config: false,
    entry: [entry],
    outDir: directory,
    format: ["esm"],
    target: "node20",
    noExternal: [/./],
    splitting: false,
    silent: true,
    // What is CommonJS inside requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    esbuildOptions: (options) => {
      options.conditions = ["@agent-control/source", "node", "import"];
    },
    outExtension: () => ({ js: ".mjs" }),
  });
  return join(directory, basename(entry).replace(/\.ts$/, ".mjs"));
}
