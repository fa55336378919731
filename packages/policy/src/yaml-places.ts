import { isMap, isPair, isScalar, isSeq, type ParsedNode } from "yaml";
import type { KeyPath } from "./config-document.ts";
import type { YamlRead } from "./yaml-value.ts";

export interface YamlPlaces extends Pick<YamlRead, "targets"> {
  readonly root: ParsedNode | null;
}

/**
 * The index in the text of a key's name or its value, looked for behind aliases too: the name of the nearest
 * enclosing map that is there when the key is not, the start of the text when there is none.
 */
export function findYaml({ root, targets }: YamlPlaces, keyPath: KeyPath, part: "key" | "value"): number {
  let at: Step | undefined = root === null ? undefined : { key: undefined, value: root };
  let found: Step | undefined;
  for (const step of keyPath) {
    at = at?.value == null ? undefined : below(targets.get(at.value) ?? at.value, step);
    if (at === undefined) return found?.key?.range[0] ?? 0;
    found = at;
  }
  const node = part === "key" ? (at?.key ?? at?.value) : (at?.value ?? at?.key);
  return node?.range[0] ?? 0;
}

interface Step {
  /** The node of the name; of the element itself in a list. */
  readonly key: ParsedNode | undefined;
  readonly value: ParsedNode | null;
}

function below(node: ParsedNode, step: string | number): Step | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined || isPair(item) ? undefined : { key: item, value: item };
  }
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && key.value === step);
}
