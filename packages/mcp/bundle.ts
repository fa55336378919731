import { fileURLToPath } from "node:url";
import type { Options } from "tsup";

const inPackage = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Build settings of a program that serves MCP: everything bundled and minified as ESM, with a chunk for each
 * dynamic import, straight from the workspace's sources. (CommonJS with splitting is miscompiled by tsup 8.)
 */
export function serverBundle(entry: Record<string, string>, outDir: string): Options {
  return {
    entry,
    outDir,
    format: ["esm"],
    target: "node20",
    platform: "node",
    splitting: true,
    minify: true,
    clean: true,
    noExternal: [/.*/],
    // CommonJS dependencies find their `require` here.
    banner: {
      js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);",
    },
    esbuildOptions(options) {
      options.conditions = ["@agent-control/source", "node", "import", "default"];
      // The SDK's JSON Schema validator: 150 KB that only elicitation needs.
      options.alias = { "@modelcontextprotocol/server/_shims": inPackage("src/sdk-shims.ts") };
    },
  };
}
