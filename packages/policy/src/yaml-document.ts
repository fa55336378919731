import { composedYaml } from "./composed-yaml.ts";
import { type ConfigDocument, placeAt } from "./config-document.ts";
import { sourceText } from "./source-text.ts";
import { findYaml } from "./yaml-places.ts";
import { readYaml } from "./yaml-value.ts";

/**
 * A YAML 1.2 file as values: core schema, so that `no`, `on` and `2026-01-01` are text; keys are always text; whole
 * numbers are bigints. Nothing at all, or only comments, is undefined. Throws the Failure `config-invalid` with the
 * place for what is not YAML, a key twice, a merge key, a tag of one's own, a second document, more than 128 KiB,
 * more than 64 levels, and aliases that repeat more than 10 000 values.
 */
export function parseYamlDocument(bytes: Uint8Array, path: string): ConfigDocument {
  const text = sourceText(bytes, path);
  const root = composedYaml(text, path);
  const { value, targets } = readYaml({ text, path, root });
  return {
    path,
    tableWord: "map",
    value: value === null ? undefined : value,
    placeOf: async (keyPath, part) => placeAt(text, findYaml({ root, targets }, keyPath, part)),
  };
}
