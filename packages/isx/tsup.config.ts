import { defineConfig } from "tsup";
import { serverBundle } from "../mcp/bundle.ts";

export default defineConfig(serverBundle({ bin: "src/bin.ts" }, "dist"));
