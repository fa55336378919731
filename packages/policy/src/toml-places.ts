import { plainText } from "@agent-control/base";
import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { type KeyPath, type Place, placeAt } from "./config-document.ts";
import { invalidConfig } from "./config-failure.ts";

export interface TomlSource {
  readonly path: string;
  readonly text: string;
}

/**
 * Finds where a key's name or its value stands in a TOML text: the name of the nearest enclosing table that the
 * text has when the key is not there, the start of the text when there is none. Throws the Failure
 * `config-invalid` where this parser, unlike the one for values, finds that the text is not TOML (a 30th of
 * February).
 */
export function tomlPlaces(source: TomlSource): (keyPath: KeyPath, part: "key" | "value") => Place {
  const entries = entriesOf(source);
  return (keyPath, part) => {
    const marks = entries.flatMap((entry) => marksIn(entry, keyPath));
    const depth = marks.reduce((most, mark) => Math.max(most, mark.depth), 0);
    const mark = marks.find((candidate) => candidate.depth === depth);
    if (mark === undefined) return { line: 1, column: 1 };
    const node = part === "value" && depth === keyPath.length ? mark.value : mark.key;
    return placeAt(source.text, node.range[0]);
  };
}

type Entry = AST.TOMLTable | AST.TOMLKeyValue;

function entriesOf({ path, text }: TomlSource): readonly Entry[] {
  try {
    return parseTOML(text, { tomlVersion: "1.1" }).body[0].body;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const says = `the file is not TOML here: ${plainText(error.message)}`;
    throw invalidConfig(path, [{ line: error.lineNumber, column: error.column + 1, says }], error);
  }
}

/** A node on the way to the wanted key: it stands for the first `depth` steps of the key path. */
interface Mark {
  readonly depth: number;
  readonly key: AST.TOMLNode;
  readonly value: AST.TOMLNode;
}

function marksIn(entry: Entry, wanted: KeyPath): Mark[] {
  return entry.type === "TOMLTable" ? inTable(entry, wanted) : inKeyValue(entry, wanted, 0);
}

// A header names a key for each text in the table's path; numbers count the tables of `[[…]]`.
function inTable(table: AST.TOMLTable, wanted: KeyPath): Mark[] {
  const path = table.resolvedKey;
  const matched = sharedSteps(path, wanted.slice(0, path.length));
  const marks = path.slice(0, matched).map((_, index): Mark => {
    const names = path.slice(0, index + 1).filter((step) => typeof step === "string").length;
    const key = table.key.keys[names - 1] ?? table.key;
    return { depth: index + 1, key, value: key };
  });
  if (matched < path.length) return marks;
  return marks.concat(table.body.flatMap((entry) => inKeyValue(entry, wanted, matched)));
}

function inKeyValue(entry: AST.TOMLKeyValue, wanted: KeyPath, depth: number): Mark[] {
  const { keys } = entry.key;
  const matched = sharedSteps(keys.map(nameOf), wanted.slice(depth));
  const marks = keys.slice(0, matched).map((key, index): Mark => {
    return { depth: depth + index + 1, key, value: index + 1 === keys.length ? entry.value : key };
  });
  if (matched < keys.length) return marks;
  return marks.concat(inValue(entry.value, wanted, depth + matched));
}

function inValue(value: AST.TOMLContentNode, wanted: KeyPath, depth: number): Mark[] {
  if (value.type === "TOMLInlineTable")
    return value.body.flatMap((entry) => inKeyValue(entry, wanted, depth));
  if (value.type !== "TOMLArray") return [];
  const element = value.elements[Number(wanted[depth])];
  if (element === undefined) return [];
  return [{ depth: depth + 1, key: element, value: element }, ...inValue(element, wanted, depth + 1)];
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function sharedSteps(path: KeyPath, wanted: KeyPath): number {
  const differs = path.findIndex((step, index) => step !== wanted[index]);
  return differs === -1 ? path.length : differs;
}
