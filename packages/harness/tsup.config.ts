import { defineConfig } from "tsup";

// Like every library (see tsup.library.ts), plus `setup`, which must stay apart: it loads parsers, and a hook must not.
export default defineConfig(
  ["src/index.ts", "src/setup.ts"].map((entry) => ({
    entry: [entry],
    format: ["esm"],
    target: "node20",
    dts: true,
    clean: entry === "src/index.ts",
    tsconfig: "../../tsconfig.json",
  })),
);
