import { defineConfig } from "tsup";

// Like every library (see tsup.library.ts), plus `catalogue`, which must stay apart: it loads zod, and a server
// must not. `splitting` keeps the SDK in a chunk that is loaded when a front has nothing more to say.
export default defineConfig(
  ["src/index.ts", "src/testing.ts", "src/catalogue.ts"].map((entry) => ({
    entry: [entry],
    format: ["esm"],
    target: "node20",
    splitting: true,
    dts: true,
    clean: entry === "src/index.ts",
    tsconfig: "../../tsconfig.json",
  })),
);
