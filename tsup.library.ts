import { existsSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

// Libraries are published as unbundled ESM with types. `testing.ts` is its own build: two entries in one
// declaration build would share a hashed chunk.
const library = (entry: string, clean: boolean): Options => ({
  entry: [entry],
  format: ["esm"],
  target: "node20",
  dts: true,
  clean,
  sourcemap: false,
  tsconfig: "../../tsconfig.json",
});

export default defineConfig([
  library("src/index.ts", true),
  ...(existsSync("src/testing.ts") ? [library("src/testing.ts", false)] : []),
]);
