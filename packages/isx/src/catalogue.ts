import type { CatalogueEntry } from "@agent-control/mcp";
import entries from "./catalogue.json" with { type: "json" };

/** Made from tools.ts by `pnpm generate`, so that a server lists its tools without loading a schema library. */
export const catalogue: readonly CatalogueEntry[] = entries;
