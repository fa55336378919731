import { plainText } from "@agent-control/base";
import { parse, TomlError } from "smol-toml";
import { type ConfigDocument, type KeyPath, type Place, quoted } from "./config-document.ts";
import { invalidConfig } from "./config-failure.ts";
import { sourceText } from "./source-text.ts";
import type { tomlPlaces } from "./toml-places.ts";

/**
 * A TOML file as values. Reads TOML 1.0 and the additions of 1.1; whole numbers are bigints, so that `6.0` and
 * `6` can be told apart. Throws the Failure `config-invalid` with the place for anything else, a key or table
 * that is defined twice included.
 */
export function parseTomlDocument(bytes: Uint8Array, path: string): ConfigDocument {
  const text = sourceText(bytes, path);
  const value = parsedValue(text, path);
  let places: Promise<ReturnType<typeof tomlPlaces>> | undefined;
  return {
    path,
    tableWord: "table",
    value,
    async placeOf(keyPath: KeyPath, part: "key" | "value"): Promise<Place> {
      places ??= import("./toml-places.ts").then((parser) => parser.tomlPlaces({ path, text }));
      return (await places)(keyPath, part);
    },
  };
}

function parsedValue(text: string, path: string): unknown {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw invalidConfig(path, [{ line: error.line, column: error.column, says: saidBy(error, text) }], error);
  }
}

// The parser's message is one sentence after a fixed start, then an excerpt of the file, which is left out.
function saidBy(error: TomlError, text: string): string {
  const sentence = plainText(error.message.split("\n", 1)[0] ?? "").replace(/^Invalid TOML document: /, "");
  if (!sentence.startsWith("trying to redefine")) return `the file is not TOML here: ${sentence}`;
  const line = text.split("\n", error.line).at(-1) ?? "";
  const key = /^[^=\]\r]*/.exec(line.slice(error.column - 1))?.[0].trim() ?? "";
  return `${quoted(key)} is defined a second time`;
}
