import { asFailure } from "@agent-control/base";
import type { CatalogueEntry } from "@agent-control/mcp";
import type { SettingsReader } from "../settings.ts";

/**
 * Lists the person's tools as mcp.yaml has them now. While the file cannot be used it lists what it last had: calls
 * of those tools say what is wrong with the file.
 */
export function createHostToolLister(reader: SettingsReader): () => Promise<readonly CatalogueEntry[]> {
  let last: readonly CatalogueEntry[] = [];
  return async () => {
    try {
      last = await listNow(reader);
    } catch (error) {
      if (asFailure(error) === undefined) throw error;
    }
    return last;
  };
}

async function listNow(reader: SettingsReader): Promise<readonly CatalogueEntry[]> {
  if (!reader.mayHaveHostTools()) return [];
  const { hostTools } = (await reader.read()).settings();
  if (hostTools.length === 0) return [];
  const { listedHostTools } = await import("./host-tool.ts");
  return listedHostTools(hostTools);
}
