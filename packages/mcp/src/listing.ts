import type { CatalogueEntry } from "./catalogue-entry.ts";

/** The tools that a server lists. */
export interface ListedTools {
  /** Known at build time, in order. */
  readonly catalogue: readonly CatalogueEntry[];
  /**
   * The tools that exist at run time, listed after the catalogue; asked at every list and call. Never rejects. Left
   * out: there are none and never will be.
   */
  addedTools?(): Promise<readonly CatalogueEntry[]>;
}

/** What one connection's client is told of the tools. */
export interface Listing {
  /** Every tool as it is now, for `tools/list`. */
  list(): readonly CatalogueEntry[] | Promise<readonly CatalogueEntry[]>;
  /** The same for whoever wants to find one: the client is told nothing. */
  look(): readonly CatalogueEntry[] | Promise<readonly CatalogueEntry[]>;
  /** True once for every change since the tools were first seen or last listed. */
  hasChanged(): Promise<boolean>;
}

export function createListing({ catalogue, addedTools }: ListedTools): Listing {
  if (addedTools === undefined)
    return { list: () => catalogue, look: () => catalogue, hasChanged: async () => false };
  let known: string | undefined;
  const look = async () => [...catalogue, ...(await addedTools())];
  return {
    look,
    async list() {
      const tools = await look();
      known = JSON.stringify(tools);
      return tools;
    },
    async hasChanged() {
      const now = JSON.stringify(await look());
      const changed = known !== undefined && known !== now;
      known = now;
      return changed;
    },
  };
}
