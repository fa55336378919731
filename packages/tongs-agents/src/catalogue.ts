import type { CatalogueEntry } from "@agent-control/mcp";
import entries from "./catalogue.json" with { type: "json" };

// Made from tools.ts by `pnpm generate`, so that a server lists its tools without loading a schema library.
const catalogue: readonly CatalogueEntry[] = entries;

export const fleetCatalogue = catalogue.filter(({ name }) => name.startsWith("fleet_"));
export const controlCatalogue = catalogue.filter(({ name }) => !name.startsWith("fleet_"));
