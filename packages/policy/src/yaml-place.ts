import type { KeyPath, Place } from "./config-document.ts";

/** Where a value stands in a YAML file, for problems that only show next to other files. */
export async function placeInYaml(bytes: Uint8Array, path: string, keyPath: KeyPath): Promise<Place> {
  const { parseYamlDocument } = await import("./yaml-document.ts");
  return parseYamlDocument(bytes, path).placeOf(keyPath, "value");
}
