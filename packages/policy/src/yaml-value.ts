import {
  type Alias,
  isAlias,
  isPair,
  isScalar,
  isSeq,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { placeAt, quoted } from "./config-document.ts";
import { invalidConfig } from "./config-failure.ts";

/** A text and the node that was made of it. */
export interface YamlSource {
  readonly text: string;
  readonly path: string;
  /** Null for a text without a value. */
  readonly root: ParsedNode | null;
}

export interface YamlRead {
  /** Maps are objects without a prototype, whole numbers bigints; what aliases repeat is the same object. */
  readonly value: unknown;
  /** The node that each alias stands for. */
  readonly targets: ReadonlyMap<ParsedNode, ParsedNode>;
}

const repeatLimit = 10_000;
const coreTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * The value of a YAML text. Throws `config-invalid` for a key twice, a merge key, a tag outside YAML's core, and an
 * alias of nothing before it, of what it is part of, or that makes too much of the file.
 */
export function readYaml(source: YamlSource): YamlRead {
  const reading: Reading = { source, anchors: new Map(), targets: new Map(), values: 0, repeated: 0 };
  const value = source.root === null ? null : valueAt(source.root, reading);
  return { value, targets: reading.targets };
}

interface Reading {
  readonly source: YamlSource;
  /** By anchor, as of the node that is read; "open" while reading what carries it. */
  readonly anchors: Map<string, Anchored | "open">;
  readonly targets: Map<ParsedNode, ParsedNode>;
  /** How many values there are so far, repeated ones each time. */
  values: number;
  repeated: number;
}

interface Anchored {
  readonly node: ParsedNode;
  readonly value: unknown;
  readonly size: number;
}

function valueAt(node: ParsedNode, reading: Reading): unknown {
  if (isAlias(node)) return repeatedValue(node, reading);
  if (node.tag !== undefined && !coreTags.has(node.tag))
    refuse(reading, node, "has a tag, which is not accepted");
  const { anchor } = node;
  const before = reading.values;
  if (anchor !== undefined) reading.anchors.set(anchor, "open");
  const value = contentOf(node, reading);
  reading.values += 1;
  if (anchor !== undefined) reading.anchors.set(anchor, { node, value, size: reading.values - before });
  return value;
}

function repeatedValue(alias: Alias.Parsed, reading: Reading): unknown {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) return refuse(reading, alias, "has an alias without an anchor before it");
  if (target === "open") return refuse(reading, alias, "has an alias of what it is itself part of");
  reading.values += target.size;
  reading.repeated += target.size;
  if (reading.repeated > repeatLimit) {
    refuse(reading, alias, `has aliases that repeat more than ${repeatLimit} values`);
  }
  reading.targets.set(alias, target.node);
  return target.value;
}

function contentOf(node: Exclude<ParsedNode, Alias.Parsed>, reading: Reading): unknown {
  if (isScalar(node)) return node.value;
  return isSeq(node) ? listOf(node, reading) : mapOf(node, reading);
}

function listOf(node: YAMLSeq.Parsed, reading: Reading): unknown[] {
  return node.items.map((item) => {
    if (isPair(item)) throw new Error("The YAML library gave a pair outside a map");
    return valueAt(item, reading);
  });
}

function mapOf(node: YAMLMap.Parsed, reading: Reading): object {
  const values: Record<string, unknown> = Object.create(null);
  const firstKeys = new Map<string, ParsedNode>();
  for (const { key, value } of node.items) {
    const name = nameOf(key, reading);
    const first = firstKeys.get(name);
    if (first !== undefined)
      refuse(reading, key, `has the key ${quoted(name)} twice${firstIn(first, reading)}`);
    firstKeys.set(name, key);
    values[name] = value === null ? null : valueAt(value, reading);
  }
  return values;
}

function nameOf(key: ParsedNode, reading: Reading): string {
  if (!isScalar(key) || typeof key.value !== "string")
    return refuse(reading, key, "has a key that is not text");
  if (key.anchor !== undefined || key.tag !== undefined)
    refuse(reading, key, "has a key with an anchor or tag");
  if (key.value === "<<") refuse(reading, key, "has a merge key (<<), which is not read; write the keys out");
  return key.value;
}

function firstIn(first: ParsedNode, { source }: Reading): string {
  return ` (first in line ${placeAt(source.text, first.range[0]).line})`;
}

function refuse({ source: { text, path } }: Reading, node: ParsedNode, says: string): never {
  throw invalidConfig(path, [{ ...placeAt(text, node.range[0]), says: `the file ${says}` }]);
}
