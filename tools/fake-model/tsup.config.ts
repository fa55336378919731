import { defineConfig } from "tsup";

// Plain `node` cannot run the TypeScript sources on Node 20; vitest reads them without a build.
export default defineConfig({
  entry: ["src/index.ts", "src/bin.ts"],
  format: ["esm"],
  target: "node20",
  clean: true,
  tsconfig: "../../tsconfig.json",
});
