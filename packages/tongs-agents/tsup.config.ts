import { defineConfig } from "tsup";

// One bundled, minified program: a tiny dispatcher and chunks. ESM with splitting, since CJS with splitting
// miscompiles the MCP SDK; the banner gives bundled CommonJS dependencies a `require`.
export default defineConfig({
  entry: ["src/bin.ts"],
  format: ["esm"],
  target: "node20",
  splitting: true,
  minify: true,
  clean: true,
  noExternal: [/.*/],
  tsconfig: "../../tsconfig.json",
  esbuildOptions(options) {
    options.conditions = ["@agent-control/source"];
  },
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
});
